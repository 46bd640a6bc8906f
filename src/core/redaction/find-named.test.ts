import { describe, expect, it } from "vitest";
import { createRedactor } from "./redactor.ts";

const { redactText } = createRedactor();
const KEY = "4f7d2a91c03be86d5f1a";

/** `@` stands for a key that only its name gives away, `§` for a password. */
const SECRETS = [
  'const apiToken: string = "@";',
  'let SIGNING_KEY: &str = "@";',
  ":access_token => '@'",
  "process.env.ACME_TOKEN || '@'",
  "${ACME_TOKEN:-@}",
  "if (token === '@') {",
  "| `ACME_TOKEN` | `@` |",
  "**Client Secret:** @",
  "the signing secret has been set to @",
  "The password for admin is §",
  "password changed to §",
  "<key>AcmeToken</key>\n<string>@</string>",
  '"<key>AcmeToken</key>\\n<string>@</string>"',
  "acme_token: >-\n  @",
  "$ printenv ACME_TOKEN\n@",
  "setenv ACME_INGEST_KEY @",
  "client.setApiKey('@')",
  '["ACME_TOKEN", "@"]',
  "X-Acme-Team: @",
  "Secret ID    = @",
  "STRIPE_WEBHOOK_SIGNING_SECRET_V2=@",
  "writeKey: '@'",
  "rootpw §",
  "ACME_DB_PW=§",
  "passWord: '§'",
  "https://example.org/?next=ACME_SPACE_KEY%3D@&page=2",
  '{"a":"acme_token\\u003d@\\u0026page"}',
  "<pre>acme_token = &quot;@&quot;</pre>",
  "server.login('me@example.org', '§')",
  "requests.get(url, auth=('me', '§'))",
  'DriverManager.getConnection(url, "me", "§")',
  "jwt.sign(payload, '§')",
  "https://@@git.example.org/team/app.git",
  "https://chat.example.org/hooks/@",
  "db.example.org:5432:shop:app:§",
  "gh auth login --with-token <<< §",
  "printf '%s' '§' > /run/db-password.txt",
  "cmdkey /add:host /user:me /pass:§",
  "mnemonic: legal winner thank year wave sausage worth useful legal winner thank yellow",
];

/** What only looks like a name and a value. */
const HARMLESS = [
  "the password field2 is required",
  "the password is wrong",
  "const token: string = readToken();",
  "tokens.map(token => token.value)",
  "this.token || this.tokens[1]",
  "| token | string | yes |",
  "the api key is required",
  "sort_key: 4f7d2a91c03be86d5f1a",
  "X-Request-Id: 550e8400-e29b-41d4-a716-446655440000",
  "hmac(key, 'aws4_request')",
  "crypto.createHmac('sha256', key)",
  "connect('db.example.org', 5432)",
  "2001:db8:*:*:*:*:*:*",
  "https://github.com/a/hooks/blob/9fceb02d0ae598e95dc970b74767f19372d61af8/a.ts",
  "'image_pull_secrets': 'imagePullSecrets'",
  "monkey: 4f7d2a91c03be86d5f1a",
];

describe("a value and its name", () => {
  for (const place of SECRETS) {
    it(`is found in ${JSON.stringify(place)}`, () => {
      const text = place.replace(/@(?=@)|@(?!@|example)/, KEY).replace("§", "Falcon!winter204");
      const { value } = redactText(text);
      expect(value).toContain("[redacted:");
      expect(value).not.toMatch(/4f7d2a91c03be86d5f1a|winter204|sausage/);
    });
  }

  for (const text of HARMLESS) {
    it(`is not seen in ${JSON.stringify(text)}`, () => {
      expect(redactText(text).value).toBe(text);
    });
  }

  it("is looked for without end by no joint that can be read in two ways", () => {
    // A joint that could took years for this.
    const text = `${"<key>token</key>".repeat(8)}${"\n".repeat(64)}${"\\n".repeat(64)}`;
    expect(redactText(text).value).toBe(text);
  });
});
