import { describe, expect, it } from "vitest";
import type { Json } from "../../objects/json.ts";
import { createRedactor } from "./redactor.ts";

/*
 * How many of a few hundred synthetic secrets are caught, each in four encodings. All of them are put together
 * from pieces at run time, so that no scanner takes this file for a leak.
 */

type Random = () => number;
type Piece = string | ((random: Random) => string);

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";
const UPPER = LOWER.toUpperCase();
const ALNUM = UPPER + LOWER + DIGITS;
const WORD = `${ALNUM}_-`;
const BASE64 = `${ALNUM}+/`;

const chars = (alphabet: string, length: number) => (random: Random) =>
  Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join("");
const alnum = (length: number) => chars(ALNUM, length);
const hex = (length: number) => chars(HEX, length);
const word = (length: number) => chars(WORD, length);

/** Token formats as their vendors describe them: a name, then what a token consists of. */
const TOKENS: readonly (readonly [name: string, ...pieces: Piece[]])[] = [
  ["aws access key", "AK", "IA", chars(`${UPPER}234567`, 16)],
  ["aws temporary key", "AS", "IA", chars(`${UPPER}234567`, 16)],
  ["aws session token", "IQoJb3", "JpZ2lu", chars(BASE64, 300)],
  ["aws bedrock key", "AB", "SK", chars(BASE64, 128)],
  ["google api key", "AI", "za", word(35)],
  ["google oauth token", "ya", "29.", word(120)],
  ["google client secret", "GOC", "SPX-", word(28)],
  ["azure client secret", alnum(3), "8Q", "~", chars(`${ALNUM}_.-`, 33), "z"],
  ["github classic", "gh", "p_", alnum(36)],
  ["github oauth", "gh", "o_", alnum(36)],
  ["github user", "gh", "u_", alnum(36)],
  ["github server", "gh", "s_", alnum(36)],
  [
    "github server, stateless",
    "gh",
    "s_",
    chars(DIGITS, 7),
    "_ey",
    "J",
    alnum(80),
    ".ey",
    "J",
    alnum(200),
    ".",
    word(120),
  ],
  ["github refresh", "gh", "r_", alnum(76)],
  ["github fine-grained", "github", "_pat_", alnum(22), "_", alnum(59)],
  ["gitlab personal", "gl", "pat-", word(20)],
  ["gitlab routable", "gl", "pat-", alnum(27), ".01.", chars(LOWER + DIGITS, 9)],
  ["gitlab deploy", "gl", "dt-", word(20)],
  ["gitlab runner", "gl", "rt-", word(20)],
  ["gitlab trigger", "gl", "ptt-", hex(40)],
  ["gitlab job", "gl", "cbt-", "64_", word(20)],
  ["slack bot", "xo", "xb-", chars(DIGITS, 12), "-", chars(DIGITS, 12), "-", alnum(24)],
  [
    "slack user",
    "xo",
    "xp-",
    chars(DIGITS, 12),
    "-",
    chars(DIGITS, 12),
    "-",
    chars(DIGITS, 12),
    "-",
    hex(32),
  ],
  ["slack app", "xa", "pp-1-A", chars(UPPER + DIGITS, 10), "-", chars(DIGITS, 13), "-", hex(64)],
  [
    "slack webhook",
    "https://hooks.",
    "slack.com/services/T",
    chars(UPPER + DIGITS, 10),
    "/B",
    chars(UPPER + DIGITS, 10),
    "/",
    alnum(24),
  ],
  ["stripe live", "sk", "_live_", alnum(24)],
  ["stripe restricted", "rk", "_live_", alnum(99)],
  ["stripe test", "sk", "_test_", alnum(24)],
  ["stripe webhook", "wh", "sec_", alnum(32)],
  ["openai legacy", "s", "k-", alnum(20), "T3Blbk", "FJ", alnum(20)],
  ["openai project", "sk-", "proj-", word(74), "T3Blbk", "FJ", word(74)],
  ["openai service account", "sk-", "svcacct-", word(74), "T3Blbk", "FJ", word(74)],
  ["anthropic api", "sk-", "ant-", "api03-", word(93), "AA"],
  ["anthropic oauth", "sk-", "ant-", "oat01-", word(93), "AA"],
  ["anthropic admin", "sk-", "ant-", "admin01-", word(93), "AA"],
  ["openrouter", "sk-", "or-v1-", hex(64)],
  ["huggingface", "h", "f_", chars(UPPER + LOWER, 34)],
  ["groq", "gs", "k_", alnum(52)],
  ["xai", "xa", "i-", alnum(80)],
  ["replicate", "r", "8_", alnum(37)],
  ["perplexity", "pp", "lx-", alnum(48)],
  ["npm", "np", "m_", alnum(36)],
  ["pypi", "py", "pi-AgE", "IcHlwaS5vcmc", word(150)],
  ["rubygems", "ruby", "gems_", hex(48)],
  ["docker hub", "dckr", "_pat_", word(27)],
  ["sendgrid", "S", "G.", word(22), ".", word(43)],
  ["twilio api key", "S", "K", hex(32)],
  ["mailgun", "ke", "y-", hex(32)],
  ["telegram bot", chars("123456789", 10), ":AA", word(33)],
  ["discord bot", "M", alnum(25), ".", word(6), ".", word(38)],
  ["discord webhook", "https://discord", ".com/api/webhooks/", chars("123456789", 18), "/", word(68)],
  ["vault service", "hv", "s.", word(95)],
  ["vault batch", "hv", "b.", word(140)],
  ["vault legacy", "s", ".", alnum(23), "7"],
  ["supabase secret", "sb", "_secret_", alnum(22), "_", alnum(8)],
  ["supabase management", "sb", "p_", hex(40)],
  ["databricks", "da", "pi", hex(32)],
  ["digitalocean personal", "do", "p_v1_", hex(64)],
  ["digitalocean oauth", "do", "o_v1_", hex(64)],
  ["doppler personal", "dp", ".pt.", alnum(43)],
  ["doppler service", "dp", ".st.", "prd_backend.", alnum(43)],
  ["cloudflare user", "cf", "ut_", alnum(40), hex(8)],
  ["cloudflare account", "cf", "at_", alnum(40), hex(8)],
  ["cloudflare origin ca", "v1", ".0-", hex(24), "-", hex(146)],
  ["terraform cloud", alnum(14), ".atlas", "v1.", word(66)],
  ["shopify", "shp", "at_", hex(32)],
  ["linear", "lin", "_api_", alnum(40)],
  ["notion", "nt", "n_", chars(DIGITS, 11), alnum(35)],
  ["figma", "fig", "d_", word(40)],
  ["postman", "PM", "AK-", hex(24), "-", hex(34)],
  ["sentry", "sntr", "yu_", hex(64)],
  ["grafana", "gl", "sa_", alnum(32), "_", hex(8)],
  ["new relic", "NR", "AK-", chars(UPPER + DIGITS, 27)],
  ["planetscale", "pscale", "_tkn_", word(43)],
  ["fly.io", "fm", "2_", chars(BASE64, 160)],
  ["pulumi", "pu", "l-", hex(40)],
  ["age", "AGE-", "SECRET-KEY-1", chars("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)],
  ["jwt", "ey", "JhbGciOiJIUzI1NiJ9", ".ey", "J", alnum(80), ".", word(43)],
  [
    "private key",
    "-----BEGIN RSA PRIV",
    "ATE KEY-----\n",
    chars(BASE64, 64),
    "\n",
    chars(BASE64, 64),
    "\n-----END RSA PRIV",
    "ATE KEY-----",
  ],
  [
    "openssh key",
    "-----BEGIN OPENSSH PRIV",
    "ATE KEY-----\n",
    chars(BASE64, 70),
    "\n-----END OPENSSH PRIV",
    "ATE KEY-----",
  ],
];

/** What people choose as passwords, and what generators make. */
const PASSWORDS: readonly (readonly Piece[])[] = [
  ["gover", "nance", chars(DIGITS, 4)],
  ["hunter", chars("23456789", 1), chars(LOWER, 3)],
  ["Tr0ub4dor&", chars(DIGITS, 3)],
  [alnum(16)],
  [chars(`${ALNUM}!@#%^*_`, 19), "7"],
  [hex(31), "7"],
];

/** Where a password gives itself away only by what stands around it. `§` is the password. */
const PLACES: readonly string[] = [
  "redis-cli -p 6379 -a § PING",
  "redis-cli -h cache.internal -a '§' --tls GET jobs",
  "mysql -h db -u root -p§ shop < dump.sql",
  "mysqldump --user=root --password=§ shop > dump.sql",
  "sshpass -p § ssh deploy@10.0.0.7 uptime",
  "curl -s -u admin:§ https://api.example.org/v1/jobs",
  "curl --user 'admin:§' -X POST https://api.example.org",
  'curl -H "Authorization: Bearer §" https://api.example.org/me',
  "docker login -u robot -p § registry.example.org",
  "mongosh mongodb.internal/shop -u root -p §",
  "ldapsearch -x -D cn=admin -w § -b dc=example",
  "sqlcmd -S db -U sa -P § -Q 'select 1'",
  "http -a admin:§ GET api.example.org/jobs",
  "openssl rsa -in key.pem -passin pass:§ -noout",
  "deploy --env prod --token § --verbose",
  "deploy --env prod --api-key=§ --verbose",
  "PGPASSWORD=§ psql -h db -U app shop",
  "export DB_PASSWORD=§\nnpm start",
  'export CLIENT_SECRET="§" && npm start',
  "docker run -e POSTGRES_PASSWORD=§ postgres:17",
  "# .env\nAPP_ENV=prod\nDATABASE_PASSWORD=§\nPORT=3000",
  "SESSION_SECRET='§'",
  "database:\n  host: db\n  password: §\n  port: 5432",
  'auth:\n  client_secret: "§"\n',
  '{"user":"app","password":"§","ssl":true}',
  'const dbPassword = "§";',
  "password='§', host='db')",
  'db_password = "§"',
  "[mail]\nsmtp_password = §\nport = 25",
  "spring.datasource.password=§",
  "Server=db;Database=shop;User Id=sa;Password=§;Encrypt=true",
  "postgres://app:§@db.internal:5432/shop",
  "mongodb+srv://app:§@cluster0.example.mongodb.net/shop",
  "redis://:§@cache.internal:6379/0",
  "git clone https://oauth2:§@gitlab.example.org/a/b.git",
  "app:§@tcp(db:3306)/shop?parseTime=true",
  "jdbc:postgresql://db/shop?user=app&password=§",
  "ALTER USER app WITH PASSWORD '§';",
  "CREATE USER app IDENTIFIED BY '§';",
  "machine example.org login app password §",
  "<server><username>app</username><password>§</password></server>",
  "'password' => '§',",
  "The staging password is §, please rotate it.",
  "login with password: § then retry",
  "Cookie: sid=§; theme=dark",
  "X-Api-Key: §",
];

interface Sample {
  readonly name: string;
  readonly secret: string;
  /** The secret in its surroundings, as it would appear in a note or in the output of a command. */
  readonly text: string;
  readonly isToken: boolean;
}

const SENTENCES = [
  "We used § to deploy; it worked.",
  "key (§) expired",
  "> §\n",
  'found "§" in the log',
  "header=§,",
  "\u001B[32m§\u001B[0m",
];
const KEYS = [
  "api_key",
  "GITHUB_TOKEN",
  "db-password",
  "clientSecret",
  "authorization",
  "privateKey",
  "accessToken",
  "credential",
];

function samples(seed: number): Sample[] {
  const random = mulberry32(seed);
  const build = (pieces: readonly Piece[]) =>
    pieces.map((piece) => (typeof piece === "string" ? piece : piece(random))).join("");
  const tokens = TOKENS.flatMap(([name, ...pieces]) =>
    [0, 1].map((): Sample => {
      const secret = build(pieces);
      return { name, secret, text: pick(SENTENCES, random).replace("§", () => secret), isToken: true };
    }),
  );
  const passwords = PLACES.flatMap((place) =>
    [0, 1].map((): Sample => {
      const secret = build(pick(PASSWORDS, random));
      return { name: place, secret, text: place.replace("§", () => secret), isToken: false };
    }),
  );
  return [...tokens, ...passwords];
}

/** The four ways in which a secret reaches a state. */
const ENCODINGS: Record<string, (sample: Sample, random: Random) => { state: Json; hidden: string }> = {
  raw: ({ text, secret }) => ({ state: { notes: text }, hidden: secret }),
  "under a key": ({ secret }, random) => ({
    state: { variables: { [pick(KEYS, random)]: secret } },
    hidden: secret,
  }),
  "JSON in JSON": ({ text, secret }) => ({
    state: { output: JSON.stringify({ lines: [{ text }], more: JSON.stringify({ text: `line\n${text}` }) }) },
    hidden: JSON.stringify(secret).slice(1, -1),
  }),
  base64: ({ text, secret, isToken }) => {
    const hidden = Buffer.from(isToken ? secret : text).toString("base64");
    return { state: { output: `data: ${hidden} (end)` }, hidden };
  },
};

function missed(encoding: string, seed: number): { all: readonly Sample[]; missed: readonly Sample[] } {
  const random = mulberry32(seed);
  const redactor = createRedactor();
  const all = samples(seed);
  const leaks = all.filter((sample) => {
    const { state, hidden } = (ENCODINGS[encoding] ?? unknown)(sample, random);
    const result = texts(redactor.redact(state).value);
    // Its last characters must be gone, too, not only enough to break it up.
    return [hidden, sample.secret, sample.secret.slice(-8)].some((part) =>
      result.some((text) => text.includes(part)),
    );
  });
  return { all, missed: leaks };
}

describe("recall", () => {
  const seeds = [1, 2, 3];

  it("has at least 200 secrets in each of the four encodings", () => {
    expect(samples(1).length).toBeGreaterThanOrEqual(200);
    expect(Object.keys(ENCODINGS)).toHaveLength(4);
  });

  it("catches every token of a known format in plain text", () => {
    const names = seeds.flatMap((seed) =>
      missed("raw", seed)
        .missed.filter(({ isToken }) => isToken)
        .map(({ name }) => name),
    );
    expect(names).toEqual([]);
  });

  it("catches at least 95 % over all encodings", () => {
    let total = 0;
    let caught = 0;
    for (const encoding of Object.keys(ENCODINGS)) {
      const results = seeds.map((seed) => missed(encoding, seed));
      const count = results.reduce((sum, { all }) => sum + all.length, 0);
      const misses = results.flatMap((result) => result.missed);
      console.log(`recall, ${encoding}: ${count - misses.length} of ${count}`, [
        ...new Set(misses.map(({ name }) => name)),
      ]);
      total += count;
      caught += count - misses.length;
    }
    expect(caught / total).toBeGreaterThanOrEqual(0.95);
  });
});

function texts(value: Json): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T;
}

function unknown(): never {
  throw new Error("no such encoding");
}

/** A small generator of numbers that are the same for the same seed. */
function mulberry32(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
