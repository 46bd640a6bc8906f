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
    "deploy --db-password ‹governance2026›command-password --verbose",
    "import --user admin --pass ‹hunter2x›command-password --file a.csv",
    "tool --api-key ‹6f1ed002ab5595859014ebf0951522d9›command-password --region eu",
    "openssl enc -aes-256-cbc -in a -pass pass:‹hunter2›command-password",
    "keytool -importkeystore -deststorepass ‹hunter2›command-password -noprompt",
    'mysql -uroot -p"‹hunter2›command-password" shop',
    "smbclient //files/share -U backup%‹hunter2›command-password",
    "+redis-cli -h cache -a ‹hunter2›command-password PING",
    "mc alias set minio https://minio.example.org backup ‹hunter2›password",
    "htpasswd -bc .htpasswd admin ‹hunter2›password",
    "composer config --global http-basic.repo.example.org ci ‹hunter2›password",
    "rclone config create backup s3 secret_access_key ‹governance2026›secret",
    "gh secret set ACME_API_KEY --body ‹6f1ed002ab5595859014ebf0951522d9›secret",
    "aws ssm put-parameter --name /app/ACME_API_KEY --type SecureString --value ‹6f1ed002ab5595859014ebf0951522d9›password",
    "wrangler secret put ACME_API_KEY <<< ‹6f1ed002ab5595859014ebf0951522d9›password",
    "tool -U admin -P ‹governance2026›command-password status",
    "tasklist /s host /u me /p ‹governance2026›command-password",
    "redis-benchmark -h host -a ‹hunter2›command-password",
    "smbcacls //server/share file --user me%‹hunter2›command-password",
    "tool copy --dest-creds ci:‹hunter2›command-password a b",
    "lftp -u ci,‹hunter2›command-password ftp.example.org",
    "snmpwalk -v3 -u monitor -A ‹hunter2›command-password 10.0.0.9",
    "echo ‹hunter2x›password | docker login -u ci --password-stdin",
    'chpasswd <<< "deploy:‹hunter2›password"',
    "nmcli dev wifi connect Home password ‹hunter2›password",
    "sqlplus app/‹hunter2@//db:1521/ORCL›password",
    'CMD ["serve", "--api-key", "‹letmein›command-password", "--port", "80"]',
    "args:\n  - --db-password\n  - ‹letmein›command-password\n  - --port",
    "curl --cookie '‹sid=9f8e7d6c5b›command-password' https://example.org",
    "unlock --pin ‹4711›command-password",
    "net user bob ‹letmein1›password /add",
    "sudo -S <<< '‹letmein1›password' apt update",
    "requirepass ‹letmein1›password",
    "tool login --secret ‹1/37fe83ca02962fd2c2dc1dce4b89fb7eea44c5a6›command-password",
    "terraform apply -var 'ACME_API_KEY=‹kq8Zb2Wv9Lm4Xt7Rp1Ys3Q==›secret'",
    "ssh-keygen -t ed25519 -N ‹hunter2›command-password -f key",
    "tool login ‹6f1ed002ab5595859014ebf0951522d95a6b7c8d›token",
    "tool auth ‹323972ee-2ec3-4046-a28f-62c1d15c0c27›token",
    "tool login --password=‹Copper.lantern204›password",
    // Quotation marks as a shell writes them inside quotation marks
    `bash -c 'curl -u '\\''me:‹hunter2›command-password'\\'' https://example.org' && ls`,
    `bash -c 'psql -c "ALTER USER app PASSWORD '"'"'‹letmein›password'"'"'"'`,
    // Colours in JSON inside JSON
    '{\\"out\\":\\"\\\\u001b[32m‹nsfyVEEvrmkbx4RYhRpcnWKy›random-token\\\\u001b[0m\\"}',
    // Variables and files
    'vncpasswd: password="‹hunter2›password"',
    "ACME_WRITE_KEY: ‹a2883300670720619649-a1bfc9c021f5f2acb7865ca609751f37f5322174›secret",
    "| ACME_API_KEY | ‹6f1ed002ab5595859014ebf0951522d9›secret |",
    'ACME_API_KEY := "‹2539071846920173645028193›secret"',
    '<property name="hibernate.connection.password">‹hunter2›password</property>',
    "INSERT INTO users (name, password) VALUES ('ada', '‹hunter2›password');",
    'request.setHeader("Authorization", "Token ‹4f2d9c81b7a6e3d05c12›authorization")',
    "helm upgrade app . --set env.ACME_API_KEY=‹Qw7bX2kd.hT6mZp0Lr9sVc4Yf1Ng8Jb3Kq5Wd2Xa7›secret",
    'variable "db_password" {\n  type    = string\n  default = "‹hunter2›password"\n}',
    '{\\nvariable \\"db_password\\" {\\n  default = \\"‹hunter2›password\\"',
    "  - name: ADMIN_PASSWORD\n    value: ‹hunter2›password",
    '<add key="ClearTextPassword" value="‹hunter2›password" />',
    '$pw = ConvertTo-SecureString "‹hunter2›password" -AsPlainText',
    '{"command": "ConvertTo-SecureString \\"‹hunter2›password\\" -AsPlainText"}',
    "define( 'DB_PASSWORD', '‹hunter2›password' );",
    "define('AUTH_KEY',         '‹kq8Zb2Wv9Lm4Xt7Rp1Ys3Q›secret');",
    '{"github-oauth": {"github.com": "‹6f1ed002ab5595859014ebf0951522d95a6b7c8d›password"}}',
    "ACME_SDK_KEY=‹sdk-323972ee-2ec3-4046-a28f-62c1d15c0c27›secret",
    'ACME_PAT = "‹1/9003773966309198:472f9dc978cc9af5021fe22794fe0f9e›asana-token"',
    "+DB_PASSWORD=‹changeme›password\n-DB_HOST=db",
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
    'curl "https://maps.example.org/v1?key=‹6f1ed002ab5595859014ebf0951522d9›secret"',
    "postgres://app:‹hunter2›url-password@db:5432/shop?sslmode=require",
    "postgres://app:‹p/w?x›url-password@db:5432/shop",
    "https:\\/\\/bob:‹hunter2›url-password@example.org\\/a",
    "https://example.org/a?page=2&access_token=‹9f8e7d6c5b4a›token&x=1",
    "https://x.blob.core.windows.net/c?sv=2024&sig=‹abc%2Fdef123%3D›secret",
    "https://example.org/cb?state=‹csk-os8e7x71br0fca9thv7nvx8yv3ez0pb1u8k7a6vq41ih1zci›random-token&ok=1",
    "https://acme.‹webhook.office.com/webhookb2/323972ee-2ec3-4046-a28f-62c1d15c0c27@323972ee-2ec3-4046-a28f-62c1d15c0c27/IncomingWebhook/6f1ed002ab5595859014ebf0951522d9/323972ee-2ec3-4046-a28f-62c1d15c0c27›teams-webhook",
    "Authorization: Bearer ‹abc.def-123›authorization",
    "Authorization: AcmeKey ‹323972ee-2ec3-4046-a28f-62c1d15c0c27›authorization",
    '-H "authorization: Basic ‹Ym9iOmh1bnRlcjI=›authorization" -v',
    "Cookie: ‹sid=9f8e7d6c5b; theme=dark›cookie\nAccept: */*",
    "Bearer ‹9f8e7d6c5b4a3f2e1d0c›authorization failed",
    // Keys that only begin as their service likes, and random ones
    "It printed ‹csk-os8e7x71br0fca9thv7nvx8yv3ez0pb1u8k7a6vq41ih1zci›random-token",
    "It printed ‹sk-lf-6f88e21f-ed24-4041-a25f-27aeaa5a51ad›random-token",
    "It printed ‹sk_45aa0cb0f102a7fccfa757a8759a2799b02fec83d5fd3d08›random-token",
    "It printed ‹fc-74a923ac401961256e9034cffc4464ad›random-token",
    "It printed ‹key_05349655295aedaaf32cf5de41026b5db19be30b6c1c4b94891f82d47d2f80ed›random-token",
    "It printed ‹bkua_2fa94f39116112121b27498929ecbaeeab3f90ba›random-token",
    "It printed ‹pk_95058466_Z9CH0GW3NJN6PELAVJ0PMQOKAJYO2CS1›random-token",
    "It printed ‹pat-na1-fd6782b2-42ed-4d10-a289-7bdfac0b1d8a›random-token",
    "It printed ‹packagist_uut_9b1e4f62e4e4f1a3bc7e13493b88552bb8b07abc2f203c63›random-token",
    "It printed ‹ACME_6f1ed002ab5595859014ebf0951522d96f1ed002ab559585›random-token",
    "join with ‹K106f1ed002ab5595859014ebf0951522d96f1ed002ab5595859014ebf0951522d9::server:6f1ed002ab559585›kubernetes-token",
    "It printed ‹sk-acme-4f7d2k1-9x3b5m8-q7w2z6p-h5t8n4r›random-token",
    "asana 2/1200773966309198/1203773966309198:‹472f9dc978cc9af5021fe22794fe0f9e›asana-token ok",
    "started\n‹8kXq2WvN5tRz7LmC4pYb9HsJ3dFg6QaE8uTi5oVx2ZwB7nKc4MrP9yLh6SjD3fGt›random-token\nfinished",
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
    '"pass": "要素に0より大きいtabindexは存在しません"',
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
    "tool [--password PASSWORD] [--api-key=KEY] --github-token GITHUB_TOKEN",
    "  --token string     how to reach the service",
    "  --token            Personal access",
    "tool --db-password db_password --token <token> --pass $PASS --secret -",
    "tool --token-file secrets/token --no-password bob --max-tokens 4096",
    "tool --password --verbose --token",
    '.option("--password", "Password to use")',
    "tool create --connection-string postgres://root@localhost:26257/db",
    "gcloud secrets update my-secret --update-labels=foo=bar",
    "parse('postgres://someuser:somepassword@somehost:381/somedatabase')",
    "https://user:pass@example.org/",
    "    password=dict(type='str', no_log=True),",
    "    vcenter_password=module.params['vcenter_password'],",
    "export function isShorthandGitHubOrGitLabUrl(url) {",
    "(0, utils_1.isResp2SubscriberMode)(this.condition)",
    "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256",
    '<path d="M240-160h480v-400H240v400Zm296.5-143.5Q560-327" />',
    "const pubkey256 = 'pL1+qb9HTMRZJmuC/bB/ZI9d302BYrrqiVuRyW+DGrU=';",
    "the token is invalid",
    "Forgot password? Enter your password:",
    "max_tokens: 4096",
    "token_count=12345678",
    'isNew ? "password" : "username"',
    "docker run -p 8080:80 nginx",
    "ssh -p 2222 host",
    "psql -U app -p 5432 shop",
    "tool --user me -p 8080",
    "ls /p /u",
    "https://example.org/list?key=name&id=42",
    "INSERT INTO users (name, password) VALUES (?, ?)",
    "| ACME_API_KEY | the key of the service |",
    'translate("password", "Password")',
    "echo done | tee log",
    "Authorization: Bearer <token>",
    "Authorization: required for administrators",
    "user login 550e8400-e29b-41d4-a716-446655440000",
    "names in any case (`DB_PASSWORD`, `dbPassword`)",
    "password = settings.database2.password1",
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
    "pvc-6f88e21f-ed24-4041-a25f-27aeaa5a51ad",
    "run_8f14e45fceea167a5a36dedd4bea2543",
    'import x from "./chunk-DYuqS7OD-CB5iRDQW.js"',
    "ED25519KeyPairKeyObjectOptions",
    "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
    "privateKey: RsaPrivateKey",
    "set max_tokens 4096",
    "progress%20is%20fine%2C%20the%20token%20is%20invalid",
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

  it("reads through colours between a name and its value, and right before a command", () => {
    for (const code of ["\u001B[1;33m", "\\u001b[33m", "\\x1b[33m", "\\033[33m"]) {
      expect(redacted(`${code}API_KEY${code}=${code}6f1ed002ab5595859014ebf0951522d9${code}`)).toBe(
        `${code}API_KEY${code}=${code}[redacted:secret]${code}`,
      );
      expect(redacted(`${code}redis-cli -a hunter2 PING`)).toBe(
        `${code}redis-cli -a [redacted:command-password] PING`,
      );
    }
  });

  it("takes no longer for marks that are built of marks", () => {
    for (const [before, after] of [
      ["\u001B[", "m"],
      ["'\\", "'"],
    ] as const) {
      const nested = before.repeat(40_000) + after.repeat(40_001);
      expect(redacted(`${nested}\nAPI_KEY=6f1ed002ab5595859014ebf0951522d9`)).toBe(
        `${nested}\nAPI_KEY=[redacted:secret]`,
      );
    }
  });

  it("decodes percent signs, also twice, and keeps what stands around the secret", () => {
    const text = "DB_PASSWORD=hunter2 & more";
    const once = encodeURIComponent(text);
    expect(redacted(`body=${once}&page=2`)).toBe(
      "body=DB_PASSWORD%3D[redacted:password]%20%26%20more&page=2",
    );
    expect(redacted(encodeURIComponent(once))).toBe("DB_PASSWORD%253D[redacted:password]%2520%2526%2520more");
  });

  it("sees a random key without a name inside base64", () => {
    const text = Buffer.from("It printed 9aK2mQ7xR4vL1pZ8cW5bN3tYf6\n").toString("base64");
    expect(redacted(`data: ${text}`)).toBe("data: [redacted:random-token]");
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

  it("tells what is inside a certificate from what stands between two", () => {
    const random = "9aK2mQ7xR4vL1pZ8cW5bN3tYf6";
    const block = `-----BEGIN CERTIFICATE-----\n${random}\n-----END CERTIFICATE-----\n`;
    expect(redacted(`${block}${random}\n`.repeat(3))).toBe(`${block}[redacted:random-token]\n`.repeat(3));
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

describe("the value of an option that names a secret goes, whatever it looks like", () => {
  const OPTIONS = ["--api-key", "--password", "--token", "--db-password", "--pass", "--pat", "-password"];
  const VALUES = ["kq", "letmein", "hunter", "qwertzuiopasdf", "QWERTZUIOP", "AbcDefGhiJkl", "4711", "a_b-c"];
  const PLACES: readonly ((option: string, value: string) => string)[] = [
    (option, value) => `tool run ${option} ${value} --verbose`,
    (option, value) => `tool run ${option}=${value} --verbose`,
    (option, value) => `tool run ${option} '${value}'; ls`,
    (option, value) => `tool run ${option}="${value}"`,
    (option, value) => `tool \\\n  ${option} ${value} \\\n  --verbose`,
    (option, value) => JSON.stringify({ command: `tool ${option} ${value}` }),
    (option, value) => JSON.stringify(["tool", option, value]),
  ];

  it.each(OPTIONS)("%s", (option) => {
    const left = PLACES.flatMap((place) => VALUES.map((value) => ({ value, text: place(option, value) })))
      .filter(({ value, text }) => redacted(text).includes(value))
      .map(({ text }) => text);
    expect(left).toEqual([]);
  });
});
