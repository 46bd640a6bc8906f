/**
 * What the name of a value says about it.
 *
 * - `password`, `secret`, `token`, `authorization`, `cookie`: the value is a secret unless it is obviously harmless
 * - `pin`: a secret if it is a few digits
 * - `weak`: a secret if it looks like one (`auth`, `pass`, `client_key`)
 * - `opaque`: a secret if it looks made by a machine (`ACME_KEY`, `TF_TOKEN_example_org`)
 * - `reference`: an id, hash, path or address, which may look random without being a secret
 * - `plain`: says nothing
 */
export type KeyKind =
  | "password"
  | "secret"
  | "token"
  | "authorization"
  | "cookie"
  | "pin"
  | "weak"
  | "opaque"
  | "reference"
  | "plain";

/** Whether the name alone makes it worth judging the value: of the others nothing can be said. */
export function namesSecret(kind: KeyKind): boolean {
  return kind !== "plain" && kind !== "reference";
}

/** What a secret is called that only its name gave away. */
export function ruleOf(kind: KeyKind): string {
  return kind === "weak" || kind === "opaque" ? "secret" : kind;
}

const MAX_NAME_LENGTH = 96;

/** Said after the noun without changing what it means: `password_old`, `API_KEY_PROD`, `tokenValue`. */
const QUALIFIERS = words(
  "value plain plaintext clear cleartext raw old new current previous prod prd production dev development staging stage stg qa uat test testing live sandbox local ci b64 base64 base encoded encrypted string str pem data primary secondary default backup tmp temp ro rw readonly confirm confirmation repeat again verify v",
);
/** Said before a noun that then is no secret: `has_password`, `no_token`. */
const NEGATIONS = words(
  "is has use uses show hide require requires required needs no allow enable enabled disable with without forgot missing invalid expired",
);

const PASSWORD = /(?:password|passwd|passphrase|passcode|passwort|kennwort|contrasena|mdp|pword)s?$/;
const PASS_OWNERS = words(
  "db database user smtp mail email imap ftp sftp redis mysql postgres pg mongo rabbitmq ldap bind proxy sudo become admin root auth login http basic store key keystore truststore cert p12 pfx ssh wifi account remote require default service vault borg",
);
/** Joined to its owner, as in `rootpw` and `requirepass`; `compass` and `bypass` are other words. */
const JOINED_PASS = new RegExp(`(?:${[...PASS_OWNERS].join("|")})(?:pass|pw)$`);
const SECRET =
  /(?:secrets?|credentials?|^creds?|^jwt|^bearer|^mnemonic|connectionstrings?|connstr|^passkey|^psk)$/;
const TOKEN =
  /(?:^|auth|access|refresh|bearer|api|user|session|bot|app|csrf|xsrf|sas|webhook|deploy|admin|private|personal|github|gitlab|slack|npm|vault|jwt|id)token$/;
/** Parsers, tokenizers, editors and style sheets have tokens too. */
const HARMLESS_TOKENS = words(
  "stop eos bos pad unk mask sep cls special end eof first last lookahead punctuation operator keyword string comment cancel cancellation abort design css theme color syntax symbol lexer parser max min per total prompt completion input output cached reasoning",
);
const PAGE_TOKENS = words(
  "next page pagination continuation continue sync resume start starting prev previous skip cursor change",
);
/** Keys of tables, maps, stores and keyboards. */
const HARMLESS_KEYS = words(
  "primary foreign sort partition cache group row object map lookup hash range field column composite unique dedupe dedup idempotency query item state event record registry config prop property json path index translation message i18n react hot shortcut arrow modifier meta ctrl alt shift s3 bucket file image host known any each first last next prev other same given current",
);
/** Words that only end so. */
const NO_KEYS = /^(?:mon|tur|don|joc|whis|hoc|hot|lac|smo|jan|tic|pic|un)key$/;
/** Written as one word: `apikey`, `secretkey`. */
const KEY =
  /(?:api|secret|access|private|signing|encryption|master|auth|shared|service|account|deploy|ssh)keys?$/;
const STRONG_KEYS = words(
  "api secret access private signing encryption encrypt decryption master auth authentication shared subscription hmac aes rsa webhook integration admin ssh deploy jwt gpg role openai anthropic claude gemini google aws azure stripe sendgrid twilio mailgun datadog algolia supabase cloudflare openrouter groq mistral cohere pinecone langsmith tavily serpapi deepgram elevenlabs",
);
const WEAK_KEYS = words(
  "app application client server session service account consumer function host storage license licence user project team",
);

const REFERENCES = words(
  "id ids uid gid uuid guid ulid hash hashes sha sha1 sha256 sha512 md5 checksum checksums digest digests fingerprint fingerprints etag integrity path paths file files filename dir directory folder cwd head heads branch branches ref refs commit commits revision rev url urls uri href endpoint endpoints link links touched version versions parent parents tree object objects cursor address pubkey image",
);

/** Classifies a property name, variable name, header or option. Independent of case and of how words are joined. */
export function keyKind(name: string): KeyKind {
  // The last words decide, so of an endless name only its end is read.
  const all = splitWords(name.slice(-MAX_NAME_LENGTH));
  if (all.length === 0) return "plain";
  if (/^(?:.* )?(?:connection|conn) (?:strings?|str)$/.test(all.join(" "))) return "secret";
  const parts = withoutQualifiers(all);
  const last = (parts.at(-1) ?? "").replace(/[0-9]{1,4}$/, "");
  const previous = parts.at(-2) ?? "";
  const kind = nounKind(last, previous);
  if (kind === "plain") {
    if (REFERENCES.has(all.at(-1) ?? "") || REFERENCES.has(last)) return "reference";
    return isOpaque(name, all) ? "opaque" : "plain";
  }
  if (parts.length > 1 && NEGATIONS.has(parts[0] ?? "") && kind !== "reference") return "plain";
  return kind;
}

const cache = new Map<string, KeyKind>();
const MAX_CACHED = 4096;

/** `keyKind`, remembered: a state has the same few names over and over. */
export function cachedKeyKind(name: string): KeyKind {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const kind = keyKind(name);
  if (cache.size >= MAX_CACHED) cache.clear();
  // Names are cut out of texts that may be large; an own copy does not keep the text alive.
  if (name.length <= MAX_NAME_LENGTH) cache.set(Buffer.from(name, "utf16le").toString("utf16le"), kind);
  return kind;
}

/** A variable's name in capitals that ends in `KEY`, or that has a secret's noun before other words. */
function isOpaque(name: string, all: readonly string[]): boolean {
  if (all.length < 2) return false;
  if (!/^[A-Z][A-Z0-9]*_/.test(name)) return false;
  return (
    name.endsWith("_SESSION") ||
    all.some((word) => /^(?:secret|token|password|apikey|credential|key)$/.test(word))
  );
}

function nounKind(last: string, previous: string): KeyKind {
  if (PASSWORD.test(last)) return "password";
  if (last === "hash" || last === "salt") return PASSWORD.test(previous) ? "password" : "plain";
  if (last === "pass") return PASS_OWNERS.has(previous) ? "password" : "weak";
  if (last === "pw" || JOINED_PASS.test(last)) return "password";
  if (previous === "pass" && /^(?:word|phrase|code)s?$/.test(last)) return "password";
  if (last === "pwd") return previous === "" || previous === "old" ? "weak" : "password";
  if (last === "pin" || last === "otp" || last === "cvv" || last === "cvc") return "pin";
  if (last === "code" && (previous === "pin" || previous === "otp" || previous === "mfa")) return "pin";
  if (/^(?:codes?|phrase)$/.test(last))
    return /^(?:recovery|backup|seed)$/.test(previous) ? "secret" : previous === "auth" ? "opaque" : "plain";
  if (SECRET.test(last)) return "secret";
  if (last === "pat") return "token";
  if (TOKEN.test(last)) return tokenKind(last, previous);
  if (last.endsWith("token") || last === "seed") return "opaque";
  if (KEY.test(last)) return "secret";
  if (last === "key" || last === "keys") return keyNounKind(previous);
  if (/^[a-z]{3,24}key$/.test(last))
    return /^pub|public/.test(last) || NO_KEYS.test(last) ? "plain" : "opaque";
  if (last === "signature" && previous === "access") return "secret";
  if (last === "header" && previous === "auth") return "authorization";
  if (last === "authorization" || last === "authorisation") return "authorization";
  if (last === "cookie" || last === "cookies") return "cookie";
  if (last === "auth" || (last === "id" && previous === "secret")) return "weak";
  return "plain";
}

/** What the word before `key` makes of it: nearly everything has a key, but few of those look made by a machine. */
function keyNounKind(previous: string): KeyKind {
  if (previous === "public" || previous === "pub") return "reference";
  if (STRONG_KEYS.has(previous)) return "secret";
  if (WEAK_KEYS.has(previous)) return "weak";
  return previous === "" || HARMLESS_KEYS.has(previous) ? "plain" : "opaque";
}

function tokenKind(last: string, previous: string): KeyKind {
  if (last !== "token") return "token";
  if (PAGE_TOKENS.has(previous)) return "reference";
  return HARMLESS_TOKENS.has(previous) ? "plain" : "token";
}

/** `GITHUB_TOKEN`, `dbPassword2` and `X-Api-Key` as lower-case words; words that are mere numbers are dropped. */
function splitWords(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/^v[0-9]{1,2}$/, "v"))
    .filter((word) => /[a-z]/.test(word));
}

/** At least one word is kept, so that a value called `text` stays what it is. */
function withoutQualifiers(all: readonly string[]): readonly string[] {
  let end = all.length;
  while (end > 1 && QUALIFIERS.has(all[end - 1] ?? "")) end -= 1;
  return all.slice(0, end);
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** Every name of a secret contains one of these. */
const SECRET_STEMS =
  /pass|pwd|pw|secret|token|key|cred|auth|cookie|jwt|bearer|pin|otp|cv[cv]|code|phrase|mnemonic|con|mdp|wort|sig|psk|seed|pword|session|pat(?![cht])/i;

/** Whether a value of this name may be a secret at all: a quick no. */
export function mayNameSecret(name: string): boolean {
  return SECRET_STEMS.test(name);
}
