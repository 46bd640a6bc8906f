import { describe, expect, it } from "vitest";
import { createRedactor } from "./redactor.ts";
import { looksRandom } from "./looks-random.ts";

const { redactText } = createRedactor();
const RANDOM = ["kX9vB2m", "Qw7zTp4"].join("");
const HEX = ["9ca232ba862c537b", "43d568f0753c907d"].join("");

describe("what something near gives away", () => {
  it.each([
    ["what a command prints", `$ cat config/master.key\n${HEX}\n$ ls`],
    [
      "a value that a command decodes",
      `$ kubectl get secret a -o jsonpath="{.data.password}" | base64 -d\n${RANDOM}`,
    ],
    ["an announcement", `Password for the [elastic] user successfully reset.\nNew value: ${RANDOM}`],
    ["a remark", `creds: admin / ${RANDOM}`],
    ["a noun behind the value", `${RANDOM} is the guest password`],
    ["another language", `пароль: ${RANDOM}`],
    ["a script that answers a prompt", `expect "assword:"\nsend "${RANDOM}\\r"`],
    ["a setting that describes itself", `ParameterKey=DBPassword,ParameterValue=${RANDOM}`],
    ["a pair after an option", `etcdctl --user root:${RANDOM} endpoint health`],
    ["a pair before a host", `mysqlsh root:${RANDOM}@localhost:3306`],
    ["an option of one letter", `vsql -h a -U dbadmin -w ${RANDOM}`],
    ["an argument of a call", `WiFi.begin("office", "${RANDOM}");`],
    ["a key of a client", `new Search('ABCDEF1234', '${HEX}')`],
    ["Markdown", `| System | Password |\n|---|---|\n| Wiki | ${RANDOM} |`],
    ["CSV", `email,role,password\nada@acme.io,admin,${RANDOM}\n`],
    ["what a database prints", ` id | login | api_token\n----+-------+----\n  1 | ada   | ${HEX}\n`],
    ["aligned columns", `HOST      USER    PASSWORD\n10.0.0.1  root    ${RANDOM}`],
  ])("finds a secret in %s", (_, text) => {
    const { value } = redactText(text);
    expect(value).not.toContain(RANDOM);
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

describe("looksRandom", () => {
  it.each([RANDOM, "k3j9x0q2m7w5", "aX.9kQ-2vB_7z", "H7k!pQ2z#Lm9"])("takes %j for random", (word) => {
    expect(looksRandom(word)).toBe(true);
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
    expect(looksRandom(word)).toBe(false);
  });
});
