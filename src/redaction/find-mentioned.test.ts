import { describe, expect, it } from "vitest";
import { createRedactor } from "./redactor.ts";
import { isDrawn } from "./strangeness.ts";

const { redactText } = createRedactor();
const DRAWN = ["kX9vB2m", "Qw7zTp4"].join("");
const HEX = ["9ca232ba862c537b", "43d568f0753c907d"].join("");

describe("what something near gives away", () => {
  it.each([
    ["what a command prints", `$ cat config/master.key\n${HEX}\n$ ls`],
    [
      "a value that a command decodes",
      `$ kubectl get secret a -o jsonpath="{.data.password}" | base64 -d\n${DRAWN}`,
    ],
    ["an announcement", `Password for the [elastic] user successfully reset.\nNew value: ${DRAWN}`],
    ["a remark", `creds: admin / ${DRAWN}`],
    ["a noun behind the value", `${DRAWN} is the guest password`],
    ["another language", `пароль: ${DRAWN}`],
    ["a script that answers a prompt", `expect "assword:"\nsend "${DRAWN}\\r"`],
    ["a setting that describes itself", `ParameterKey=DBPassword,ParameterValue=${DRAWN}`],
    ["a pair after an option", `etcdctl --user root:${DRAWN} endpoint health`],
    ["a pair before a host", `mysqlsh root:${DRAWN}@localhost:3306`],
    ["an option of one letter", `vsql -h a -U dbadmin -w ${DRAWN}`],
    ["an argument of a call", `WiFi.begin("office", "${DRAWN}");`],
    ["a key of a client", `new Search('ABCDEF1234', '${HEX}')`],
    ["Markdown", `| System | Password |\n|---|---|\n| Wiki | ${DRAWN} |`],
    ["CSV", `email,role,password\nada@acme.io,admin,${DRAWN}\n`],
    ["what a database prints", ` id | login | api_token\n----+-------+----\n  1 | ada   | ${HEX}\n`],
    ["aligned columns", `HOST      USER    PASSWORD\n10.0.0.1  root    ${DRAWN}`],
  ])("finds a secret in %s", (_, text) => {
    const { value } = redactText(text);
    expect(value).not.toContain(DRAWN);
    expect(value).not.toContain(HEX);
    expect(redactText(value).value).toBe(value);
  });

  it.each([
    "$ git log -1 --format=%H\n9ca232ba862c537b43d568f0753c907d9ca232ba",
    "The token parser calls isShorthandGitHubOrGitLabUrl and TLS_PSK_WITH_AES_128.",
    '{"id": "kX9vB2mQw7zTp4aa", "token_count": 12}',
    "login failed at 2026-11-03T10:14:02Z from 10.0.0.4, secret v1.2.3-beta.4",
    "| Option | Token |\n|---|---|\n| `--force` | optional |",
    "P-521:P-384:P-256",
  ])("leaves %j alone", (text) => {
    expect(redactText(text).value).toBe(text);
  });
});

describe("isDrawn", () => {
  it.each([DRAWN, "k3j9x0q2m7w5", "aX.9kQ-2vB_7z", "H7k!pQ2z#Lm9"])("takes %j for drawn", (word) => {
    expect(isDrawn(word)).toBe(true);
  });

  it.each([
    "getElementById",
    "passwordless",
    "utf8ToBase64",
    "HTTP2_HEADER_PATH",
    "2026-11-03T10:14",
    HEX,
    "a1b2",
  ])("takes %j for written", (word) => {
    expect(isDrawn(word)).toBe(false);
  });
});
