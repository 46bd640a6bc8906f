import { describe, expect, it } from "vitest";
import { createRedactor } from "./redactor.ts";

const { redactText } = createRedactor();
const redacted = (text: string) => redactText(text).value;

describe("what is replaced, and what stays readable around it", () => {
  /** `‹…›` marks the secret, `›rule` what must stand there instead. */
  const TEXTS: readonly string[] = [
    // Commands
    "redis-cli -p 6379 -a ‹governance2026›command-password PING",
    "sudo mysql -uroot -p‹s3cret!›command-password shop",
    "curl -u bob:‹pass-w0rd›command-password https://example.org",
    "curl \\\n  -H 'Accept: */*' \\\n  -u 'bob:‹two words›command-password' \\\n  https://example.org",
    "curl -u bob:'‹hunter2›command-password' https://example.org",
    "deploy --password ‹hunter2›command-password --verbose",
    "deploy --password=‹hunter2›password --verbose",
    "sshpass -p ‹hunter2›command-password ssh host -p 2222",
    "aws configure set aws_secret_access_key ‹wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzKEY›secret",
    // Variables and files
    "export SECRET=‹correcthorsebattery›secret; npm start",
    "DB_PASSWORD=‹changeme›password\nDB_HOST=db",
    "password: ‹hunter2›password\nuser: bob",
    "password: ‹letmein›password\nuser: bob",
    '{"password": "‹correct-horse›password", "port": 1}',
    '{\\"password\\":\\"‹a\\\\\\"b1›password\\",\\"x\\":1}',
    "const apiKey = '‹9f8e7d6c5b4a3f2e›secret';",
    "config['db_password'] = \"‹hunter2›password\"",
    "<password>‹hunter2 & more›password</password>",
    "user=app password=‹hunter2›password host=db",
    "Server=db;User Id=sa;Password=‹hunter2›password;Encrypt=true",
    "machine example.org login me password ‹hunter2›password\n",
    "ALTER USER app WITH PASSWORD '‹letmein›password';",
    "the admin password is ‹hunter2›password.",
    "Access key: ‹9f8e7d6c5b4a3f2e›secret",
    // Addresses and headers
    "postgres://app:‹hunter2›url-password@db:5432/shop?sslmode=require",
    "postgres://app:‹p/w?x›url-password@db:5432/shop",
    "https:\\/\\/bob:‹hunter2›url-password@example.org\\/a",
    "https://example.org/a?page=2&access_token=‹9f8e7d6c5b4a›token&x=1",
    "https://x.blob.core.windows.net/c?sv=2024&sig=‹abc%2Fdef123%3D›secret",
    "Authorization: Bearer ‹abc.def-123›authorization",
    '-H "authorization: Basic ‹Ym9iOmh1bnRlcjI=›authorization" -v',
    "Cookie: ‹sid=9f8e7d6c5b; theme=dark›cookie\nAccept: */*",
    "Bearer ‹9f8e7d6c5b4a3f2e1d0c›authorization failed",
    // Keys
    "-----BEGIN CERTIFICATE-----\nMIIB9TCC\n-----END CERTIFICATE-----\n‹-----BEGIN EC §-----\nMHcCAQ\n-----END EC §-----›private-key",
    "cut off: ‹-----BEGIN §-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEF›private-key",
  ];

  for (const entry of TEXTS) {
    // Put together here, so that no scanner takes this file for a leak.
    const marked = entry.replaceAll("§", ["PRIV", "ATE KEY"].join(""));
    const text = marked.replaceAll(/‹([^›]*)›[a-z-]*/g, "$1");
    it(`in ${JSON.stringify(text)}`, () => {
      expect(redacted(text)).toBe(marked.replaceAll(/‹[^›]*›([a-z-]*)/g, "[redacted:$1]"));
    });
  }
});

describe("what stays as it is", () => {
  const TEXTS: readonly string[] = [
    // No values, or only pointers to them
    "password=",
    "password: ''",
    'password: "<password>"',
    "TOKEN=$GITHUB_TOKEN",
    "TOKEN=${TOKEN:-}",
    "TOKEN=$(gh auth token)",
    "password: ****",
    "token: null",
    "secret: true",
    "password: ${{ secrets.DB }}",
    "api_key: process.env.API_KEY",
    "redis-cli -a $REDIS_PASSWORD ping",
    'curl -u "$USER:$PASS" x',
    "token: op://vault/item/field",
    "https://user:${PASSWORD}@host/",
    "https://user@host/",
    "http://localhost:8080/a@b",
    "http://host:8080",
    "ssh://git@github.com:22/a",
    "password_file=/run/secrets/db",
    // Code and prose
    "token: string;",
    "const token = getToken();",
    "token = tokens[0]",
    "password: z.string().min(8)",
    "this.password = password",
    "if (token === other) {}",
    "(token) => token.kind",
    "use --password to log in",
    "the token is invalid",
    "Forgot password? Enter your password:",
    "max_tokens: 4096",
    "token_count=12345678",
    'isNew ? "password" : "username"',
    "docker run -p 8080:80 nginx",
    "ssh -p 2222 host",
    "Authorization: Bearer <token>",
    "author: somebody1",
    // Ids, hashes, addresses, data
    "ckpt-20261115-203000-9f8e7d6c",
    "550e8400-e29b-41d4-a716-446655440000",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "sha512-4t1cSDqRLEj2aNqtbLZPvXBx7oEcPbYtTHz2X0yCqGcYzJZ9kQ0Z5m1N8w3v2A==",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "https://docs.example.org/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
    "toolu_01A09q90qw90lq917835lq9XyZ",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq5mXr2k8T3vN1wZ0yQ7uB4cD6eF8gH9iJ0kL1mN2oP me@host",
    "import { x } from '@scope/package-name/dist/esm/index2.js'",
    "getElementsByTagNameAndAttributeValue",
    "convertIPv4MappedIPv6ToIPv4",
    "v1.2.3-beta.4+build.20261115",
    "/Users/me/Library/Caches/com.example.App2/file_2026-11-15.log",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    ["gh", "p_", "x".repeat(36)].join(""),
  ];

  for (const text of TEXTS) {
    it(`as ${JSON.stringify(text)}`, () => {
      expect(redactText(text)).toEqual({ value: text, findings: [] });
    });
  }
});

describe("encodings", () => {
  const token = ["gh", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");

  it("sees a token behind escapes, colours and percent signs", () => {
    for (const before of ["\\n", "\\u003d", "%3D", "\u001B[1;32m", "x_", '\\"', "="]) {
      expect(redacted(before + token)).toBe(`${before}[redacted:github-token]`);
    }
  });

  it("decodes base64, also twice, in both alphabets, and over several lines", () => {
    const config = `[remote]\nurl = https://example.org/?a=b~~~???\ntoken = ${token}\n`;
    const base64 = Buffer.from(config).toString("base64");
    const url = Buffer.from(config).toString("base64url");
    const wrapped = base64.replaceAll(/.{76}/g, "$&\n");
    for (const text of [base64, url, wrapped, Buffer.from(base64).toString("base64")]) {
      expect(redacted(`before\n${text}\nafter`)).toBe("before\n[redacted:github-token]\nafter");
    }
  });

  it("keeps base64 that holds no secret", () => {
    const text = Buffer.from(JSON.stringify({ kind: "list", items: ["one", "two", "three"] })).toString(
      "base64",
    );
    expect(redacted(text)).toBe(text);
  });

  it("never shows a part of a secret that is longer than what it looks at", () => {
    const long = "aB3".repeat(3000);
    for (const text of [
      `password=${long}`,
      `password: "${long}"`,
      `Authorization: Bearer ${long}`,
      `API_KEY=${long}`,
    ]) {
      expect(redacted(text)).not.toContain("aB3");
    }
  });
});
