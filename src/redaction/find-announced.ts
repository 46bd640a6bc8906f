import { cachedKeyKind, mayNameSecret } from "./key-names.ts";
import { addSecret } from "./find-phrases.ts";
import { shellValueAt } from "./names-and-values.ts";
import { BLANK, skipForward } from "./scan.ts";
import type { Span } from "./span.ts";
import { isHarmless } from "./values.ts";

/** Adds what fixed words announce, wherever they stand. Returns the blocks of ASCII armour that are not secret. */
export function findAnnounced(text: string, found: Span[]): Armour[] {
  const others = findPrivateKeys(text, found);
  findGoAddresses(text, found);
  findPositional(text, found);
  return others;
}

const PGPASS = /:(?:[0-9]{2,5}|\*):[\w*-]{1,63}:[\w.@*-]{1,63}:(?![\s*:])/y;

/** Passwords whose place only the command or the file format knows: the last group, after words that begin with `start`. */
const POSITIONAL: readonly { readonly start: string; readonly pattern: RegExp }[] = [
  {
    start: "machine ",
    pattern: /machine\s{1,8}\S{1,253}\s{1,8}login\s{1,8}\S{1,128}\s{1,8}password\s{1,8}/y,
  },
  { start: "mc alias set ", pattern: /mc alias set (?:--?\S{1,40} ){0,4}\S{1,128} \S{1,253} \S{1,128} /y },
  { start: "mc config host add ", pattern: /mc config host add \S{1,128} \S{1,253} \S{1,128} /y },
  {
    start: "htpasswd ",
    pattern:
      /htpasswd (?:-\S{1,20} ){0,6}-[A-Za-z]{0,6}b[A-Za-z]{0,6} (?:-\S{1,20} ){0,6}(?:(?<=-\w{0,6}n\w{0,6} )|\S{1,253} )\S{1,128} /y,
  },
  { start: "http-basic.", pattern: /http-basic\.\S{1,253} \S{1,128} /y },
  { start: "-oauth.", pattern: /-oauth\.\S{1,253} /y },
  // Composer's auth.json.
  { start: "-oauth", pattern: /-oauth\\{0,7}":\s{0,8}\{\s{0,16}\\{0,7}"[\w.-]{1,253}\\{0,7}":\s{0,8}/y },
  { start: "nmcli ", pattern: /nmcli (?:[^\s"']{1,64} ){1,8}password /y },
  { start: "wpa_passphrase ", pattern: /wpa_passphrase \S{1,64} /y },
  {
    start: "rabbitmqctl ",
    pattern: /rabbitmqctl (?:-\S{1,40} ){0,4}(?:add_user|change_password|authenticate_user) \S{1,64} /y,
  },
  // Oracle: `sqlplus scott/…@db`, `jdbc:oracle:thin:scott/…@db`
  { start: "sqlplus ", pattern: /sqlplus (?:-\S{1,20} ){0,4}[^\s/@]{1,64}\//y },
  { start: "pdp ", pattern: /(?<=im|ex)pdp [^\s/@=]{1,64}\//y },
  { start: "rman target ", pattern: /rman target [^\s/@]{1,64}\//y },
  { start: "oracle:thin:", pattern: /oracle:thin:[^\s/@:]{1,64}\//y },
  { start: " using ", pattern: /(?<=connect to \S{1,64} user \S{1,64}) using /y },
  // .pgpass: host:port:database:user:password
  { start: ":5432:", pattern: PGPASS },
  { start: ":5433:", pattern: PGPASS },
  { start: ":6432:", pattern: PGPASS },
  { start: ":*:", pattern: PGPASS },
  { start: "IDENTIFIED BY ", pattern: /IDENTIFIED BY (?!["'])/y },
  { start: " --value ", pattern: /(?<=(?:secrets?|SecureString|keys) [^\n]{0,120}) --value /y },
  { start: " pass ", pattern: /(?<=\buser(?:name)?[ :=]{1,2}["']?[\w.@-]{1,64}["']?,?) pass /y },
  { start: "bw unlock ", pattern: /bw unlock (?!-)/y },
  { start: "bw login ", pattern: /bw login [^\s-]\S{0,127} (?!-)/y },
  { start: "mosquitto_passwd ", pattern: /mosquitto_passwd (?:-c )?-b \S{1,253} \S{1,64} /y },
  { start: "rclone obscure ", pattern: /rclone obscure (?!-)/y },
  // Redis and its kind
  { start: "AUTH ", pattern: /(?<=^|\n|\\n|> |["'])AUTH (?:[a-z][\w-]{0,32} )?(?=\S{0,256}[0-9])/y },
  { start: " on >", pattern: /(?<=(?:user|USER) \S{1,64}) on >/y },
  { start: "auth-pass ", pattern: /auth-pass \S{1,64} /y },
  // IPsec and PPP
  { start: ": PSK ", pattern: /: PSK /y },
  { start: ": EAP ", pattern: /: EAP /y },
  { start: "net use ", pattern: /net use (?:\S{1,8} )?\\\\\S{1,253} (?:\/user:\S{1,64} )?(?!\/)/y },
  { start: "freerdp ", pattern: /freerdp (?:\S{1,253} ){0,12}\/p:/y },
  { start: "net user ", pattern: /net user [^\s/]{1,64} (?=[^\s/*])/y },
  { start: "sudo -S <<< ", pattern: /sudo -S <<< /y },
  // Redis, in its file of settings and elsewhere.
  { start: "requirepass ", pattern: /(?<=^|\n|\\n|[+-]|config set )requirepass /iy },
  { start: "masterauth ", pattern: /(?<=^|\n|\\n|[+-]|config set )masterauth /iy },
  { start: "chpasswd <<< ", pattern: /chpasswd <<< \\{0,7}["']?[^\s:"']{1,64}:/y },
];

/** Adds the passwords that stand at a known place: `.netrc`, `mc alias set`, `htpasswd -b`, `composer config http-basic.…`. */
function findPositional(text: string, found: Span[]): void {
  findPiped(text, found);
  findSeedWords(text, found);
  findInserted(text, found);
  for (const { start, pattern } of POSITIONAL) {
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
      pattern.lastIndex = at;
      if (pattern.test(text))
        addSecret(text, shellValueAt(text, pattern.lastIndex), "password", "env", found);
    }
  }
}

/** What reads a password or a secret from its input, and files that hold one. */
const READS_SECRET =
  /^ {0,4}(?:\| {0,4}[^|\n]{0,200}?(?:--password-stdin|--passphrase-fd|--stdin\b|-pass stdin|\bchpasswd\b|\bsudo -S\b|\bkinit\b|\bsu\b|\bcryptsetup\b|\blpass\b|\bpass insert\b|\bsecrets? (?:set|put|add|create|versions add)\b|\blogin\b)|>{1,2} {0,2}[\w.~/-]{0,128}(?:passw|secret|token|_pass|pw\b|credential|api_?key))/i;

/** Adds the secret in `echo … | docker login --password-stdin` and `printf '%s' … > password.txt`. */
function findPiped(text: string, found: Span[]): void {
  for (const command of ["echo ", "printf "]) {
    for (let at = text.indexOf(command); at >= 0; at = text.indexOf(command, at + 1)) {
      const prefix = /(?:-\w{1,3} |["']?%s(?:\\n)?["']? )?/y;
      prefix.lastIndex = skipForward(text, at + command.length, BLANK, 4);
      prefix.test(text);
      const value = shellValueAt(text, prefix.lastIndex);
      if (value === undefined) continue;
      const end = value.end + (value.isQuoted ? 1 : 0);
      if (READS_SECRET.test(text.slice(end, end + 256))) addSecret(text, value, "password", "env", found);
    }
  }
  findHereStrings(text, found);
}

/** Adds the secret in `gh auth login --with-token <<< …`. */
function findHereStrings(text: string, found: Span[]): void {
  for (let at = text.indexOf("<<< "); at >= 0; at = text.indexOf("<<< ", at + 4)) {
    const line = text.slice(Math.max(0, at - 128), at);
    if (
      /\b(?:login|signin|passwd|secret-tool|secrets?|env add|--with-token|--\w+-stdin)\b[^\n]{0,64}$/.test(
        line,
      )
    )
      addSecret(text, shellValueAt(text, at + 4), "password", "env", found);
  }
}

const WORDS = /\W{1,6}(?:is |= ?|: ?)?["'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])/y;

/** Adds the twelve words and more from which a wallet can be restored. */
function findSeedWords(text: string, found: Span[]): void {
  for (const noun of ["nemonic", "NEMONIC", "phrase", "Phrase", "PHRASE"]) {
    for (let at = text.indexOf(noun); at >= 0; at = text.indexOf(noun, at + 1)) {
      WORDS.lastIndex = at + noun.length;
      const words = WORDS.exec(text)?.[1];
      if (words !== undefined)
        found.push({ start: WORDS.lastIndex - words.length, end: WORDS.lastIndex, rule: "secret" });
    }
  }
}

const COLUMNS = /\(([^()]{1,400})\)\s{1,8}$/;

/** Adds the passwords in `INSERT INTO users (name, password) VALUES ('ada', '…')`: the column's name is at the value's place. */
function findInserted(text: string, found: Span[]): void {
  for (const { index, 0: word } of text.matchAll(/\bvalues\s{0,8}\(/gi)) {
    const columns = COLUMNS.exec(text.slice(Math.max(0, index - 420), index))?.[1]?.split(",") ?? [];
    const kinds = columns.map((name) => (mayNameSecret(name) ? cachedKeyKind(name) : "plain"));
    const value = /\s{0,8}(?:'((?:[^'\\]|\\.|''){0,512})'|[^,()']{1,512})\s{0,8}[,)]/y;
    value.lastIndex = index + word.length;
    for (const kind of kinds) {
      const from = value.lastIndex;
      const [whole, quoted] = value.exec(text) ?? [];
      if (whole === undefined) break;
      const start = from + whole.indexOf("'") + 1;
      if (quoted !== undefined)
        addSecret(text, { start, end: start + quoted.length, isQuoted: true }, kind, "quoted", found);
    }
  }
}

/** A block of ASCII armour: `-----BEGIN X-----` to `-----END X-----`. */
export interface Armour {
  readonly start: number;
  readonly end: number;
}

const BEGIN = "-----BEGIN ";
/** What follows if the end is missing: lines of base64 and headers, whose line breaks may be written `\n`. */
const BODY = /[A-Za-z0-9+/=\s\\:,.-]{0,16384}/y;
const END_LINE = /-----END [A-Z0-9 ]{1,64}-----/y;

/**
 * Adds each private key as one span, also one that was cut off, and returns the other blocks: certificates, public
 * keys and signatures look random line by line, but are not secrets.
 */
function findPrivateKeys(text: string, found: Span[]): Armour[] {
  const others: Armour[] = [];
  let start = text.indexOf(BEGIN);
  while (start >= 0) {
    const end = armourEnd(text, start + BEGIN.length);
    if (/^[A-Z0-9 ]{0,40}PRIVATE KEY/.test(text.slice(start + BEGIN.length, start + BEGIN.length + 64))) {
      found.push({ start, end, rule: "private-key" });
    } else {
      others.push({ start, end });
    }
    start = text.indexOf(BEGIN, end);
  }
  findPuttyKeys(text, found);
  return others;
}

/** The body is read, not the end looked for: many beginnings without an end must not cost a search of the text each. */
function armourEnd(text: string, from: number): number {
  BODY.lastIndex = from;
  BODY.test(text);
  const body = text.slice(from, BODY.lastIndex);
  // The dashes of the last line are characters of the body, too.
  const dashes = body.indexOf("-----END");
  if (dashes < 0) return Math.max(from, from + body.trimEnd().length);
  END_LINE.lastIndex = from + dashes;
  return END_LINE.test(text) ? END_LINE.lastIndex : from + body.length;
}

const PUTTY = "Private-Lines:";

/** PuTTY's own notation: a number of lines, then as many lines of base64. */
function findPuttyKeys(text: string, found: Span[]): void {
  let at = text.indexOf(PUTTY);
  while (at >= 0) {
    const start = at + PUTTY.length;
    BODY.lastIndex = start;
    BODY.test(text);
    const stop = text.slice(start, BODY.lastIndex).indexOf("Private-MAC");
    const end = stop < 0 ? BODY.lastIndex : start + stop;
    found.push({ start, end, rule: "private-key" });
    at = text.indexOf(PUTTY, end);
  }
}

/** Adds the passwords in `user:password@tcp(host:3306)/db`, which Go programs pass to MySQL. */
function findGoAddresses(text: string, found: Span[]): void {
  for (let end = text.indexOf("@tcp("); end >= 0; end = text.indexOf("@tcp(", end + 1)) {
    const before = text.slice(Math.max(0, end - 256), end);
    const password = before.slice(before.lastIndexOf(":") + 1);
    const isAddress = /[\w.-]:[^\s:"'`<>\\]{1,255}$/.test(before.slice(-password.length - 2));
    if (isAddress && !isHarmless(password))
      found.push({ start: end - password.length, end, rule: "url-password" });
  }
}
