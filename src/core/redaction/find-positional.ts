import { addSecret } from "./find-phrases.ts";
import { shellValueAt } from "./names-and-values.ts";
import { BLANK, skipForward } from "./scan.ts";
import type { Span } from "./span.ts";
import { looksRandom } from "./looks-random.ts";

/** What separates the words of a command: blanks, or the end of a line that goes on; and a word, which may be quoted. */
const BLANKS = String.raw`(?:[ \t]|\\\r?\n){1,16}`;
const WORD = String.raw`(?:"[^"\n]{1,256}"|'[^'\n]{1,256}'|[^\s"']\S{0,252})`;

/** A pattern in which each blank stands for any blanks, and `@` for a word. ASCII only: the bundle escapes all else. */
const inShell = (source: string) => new RegExp(source.replaceAll(" ", BLANKS).replaceAll("@", WORD), "y");

const PGPASS = /:(?:[0-9]{2,5}|\*):[\w*-]{1,63}:[\w.@*-]{1,63}:(?![\s*:])/y;

/** Passwords whose place only the command or the file format knows: the last group, after words that begin with `start`. */
const POSITIONAL: readonly { readonly start: string; readonly pattern: RegExp }[] = [
  {
    start: "machine ",
    pattern: /machine\s{1,8}\S{1,253}\s{1,8}login\s{1,8}\S{1,128}\s{1,8}password\s{1,8}/y,
  },
  {
    start: "alias set ",
    pattern: inShell(String.raw`(?<=\bmc(?:li)? (?:--?\S{1,40} ){0,4})alias set (?:--?\S{1,40} ){0,4}@ @ @ `),
  },
  {
    start: "config host add ",
    pattern: inShell(String.raw`(?<=\bmc(?:li)? (?:--?\S{1,40} ){0,4})config host add @ @ @ `),
  },
  {
    start: "admin user add ",
    pattern: inShell(String.raw`(?<=\bmc(?:li)? (?:--?\S{1,40} ){0,4})admin user add @ @ `),
  },
  {
    // Behind it may stand an image: `docker run --entrypoint htpasswd httpd:2 -Bbn me …`.
    start: "htpasswd ",
    pattern: inShell(
      String.raw`htpasswd (?:[a-z][\w./:-]{0,100} )?(?:-\S{1,20} ){0,6}-[A-Za-z]{0,6}b[A-Za-z]{0,6} (?:-\S{1,20} |[0-9]{1,2} ){0,6}(?:(?<=-\w{0,6}n\w{0,6} )|@ )@ `,
    ),
  },
  { start: "http-basic.", pattern: /http-basic\.\S{1,253} \S{1,128} /y },
  { start: "-oauth.", pattern: /-oauth\.\S{1,253} /y },
  // Composer's auth.json.
  { start: "-oauth", pattern: /-oauth\\{0,7}":\s{0,8}\{\s{0,16}\\{0,7}"[\w.-]{1,253}\\{0,7}":\s{0,8}/y },
  { start: "nmcli ", pattern: /nmcli (?:[^\s"']{1,64} ){1,8}password /y },
  { start: "wpa_passphrase ", pattern: inShell("wpa_passphrase @ ") },
  {
    start: "rabbitmqctl ",
    pattern: inShell(
      String.raw`rabbitmqctl (?:-\S{1,40} ){0,4}(?:add_user|change_password|authenticate_user) @ `,
    ),
  },
  // Oracle: `sqlplus scott/…@db`, `jdbc:oracle:thin:scott/…@db`
  { start: "sqlplus ", pattern: /sqlplus (?:-\S{1,20} ){0,4}[^\s/@]{1,64}\//y },
  { start: "pdp ", pattern: /(?<=im|ex)pdp [^\s/@=]{1,64}\//y },
  { start: "rman target ", pattern: /rman target [^\s/@]{1,64}\//y },
  { start: "oracle:thin:", pattern: /oracle:thin:[^\s/@:]{1,64}\//y },
  { start: "using ", pattern: /(?<=connect to \S{1,64} user \S{1,64} )using /y },
  // .pgpass: host:port:database:user:password
  { start: ":5432:", pattern: PGPASS },
  { start: ":5433:", pattern: PGPASS },
  { start: ":6432:", pattern: PGPASS },
  { start: ":*:", pattern: PGPASS },
  { start: "IDENTIFIED BY ", pattern: /IDENTIFIED BY (?!["'])/y },
  { start: "--value ", pattern: /(?<=(?:secrets?|SecureString|keys) [^\n]{0,120})--value /y },
  {
    start: "pass ",
    pattern: /(?<=\buser(?:name)?(?:[:=] ?| ["']?(?!can|may|must|will|has|to)[\w.@-]{1,64}["']?,? ))pass /y,
  },
  { start: "bw unlock ", pattern: /bw unlock (?!-)/y },
  { start: "bw login ", pattern: /bw login [^\s-]\S{0,127} (?!-)/y },
  { start: "mosquitto_passwd ", pattern: inShell("mosquitto_passwd (?:-c )?-b @ @ ") },
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

/** What else is looked for at fixed words. */
const FINDERS: Readonly<Record<string, (text: string, at: number, found: Span[]) => void>> = {
  "echo ": findPiped,
  "printf ": findPiped,
  "<<< ": findHereString,
  nemonic: findSeedWords,
  NEMONIC: findSeedWords,
  phrase: findSeedWords,
  PHRASE: findSeedWords,
};

let starts: RegExp | undefined;

/** All fixed words in one pattern: looking for one after the other takes three times as long. */
function startPattern(): RegExp {
  const words = new Set([...POSITIONAL.map(({ start }) => start), ...Object.keys(FINDERS)]);
  starts ??= new RegExp([...words].map((word) => word.replaceAll(/[.*+?^$()|]/g, "\\$&")).join("|"), "g");
  return starts;
}

/** Adds the passwords that stand at a known place: `.netrc`, `mc alias set`, `htpasswd -b`, `composer config http-basic.…`. */
export function findPositional(text: string, found: Span[]): void {
  for (const { index, 0: word } of text.matchAll(startPattern())) {
    FINDERS[word]?.(text, index + word.length, found);
    for (const { start, pattern } of POSITIONAL) {
      if (!text.startsWith(start, index)) continue;
      pattern.lastIndex = index;
      if (!pattern.test(text)) continue;
      const value = shellValueAt(text, pattern.lastIndex);
      addSecret(text, value, "password", value?.isQuoted ? "structure" : "env", found);
    }
  }
}

/** Programs that take a password by its place, which a list of words has no options to tell by. */
const BY_PLACE = /^(?:\S{0,200}\/)?(?:mc|mcli|htpasswd|mosquitto_passwd|rabbitmqctl|wpa_passphrase|nmcli)$/;

/** The secrets in a command that is given as a list of words, as `findInArguments` has them. */
export function findByPlace(words: readonly string[]): { index: number; span: Span }[] {
  if (!words.slice(0, 8).some((word) => BY_PLACE.test(word))) return [];
  const found: Span[] = [];
  // One line, in which each word is one word and as long as it was.
  findPositional(words.map((word) => word.replaceAll(/[\s"'`\\]/g, "_")).join(" "), found);
  return words.flatMap((word, index) => {
    const at = words.slice(0, index).reduce((sum, before) => sum + before.length + 1, 0);
    const rule = found.find(({ start, end }) => start >= at && end <= at + word.length)?.rule;
    return rule === undefined ? [] : [{ index, span: { start: 0, end: word.length, rule } }];
  });
}

/** What reads a password or a secret from its input, and files that hold one. */
const READS_SECRET =
  /^ {0,4}(?:\| {0,4}[^|\n]{0,200}?(?:--password-stdin|--passphrase-fd|--stdin\b|-pass stdin|\bchpasswd\b|\bsudo -S\b|\bkinit\b|\bsu\b|\bcryptsetup\b|\blpass\b|\bpass insert\b|\bsecrets? (?:set|put|add|create|versions add)\b|\blogin\b)|>{1,2} {0,2}[\w.~/-]{0,128}(?:passw|secret|token|_pass|pw\b|credential|api_?key))/i;

/** Adds the secret in `echo … | docker login --password-stdin` and `printf '%s' … > password.txt`. */
function findPiped(text: string, at: number, found: Span[]): void {
  FLAGS.lastIndex = skipForward(text, at, BLANK, 4);
  FLAGS.test(text);
  const value = shellValueAt(text, FLAGS.lastIndex);
  if (value === undefined) return;
  const end = value.end + (value.isQuoted ? 1 : 0);
  if (READS_SECRET.test(text.slice(end, end + 256))) addSecret(text, value, "password", "env", found);
}

const FLAGS = /(?:-\w{1,3} |["']?%s(?:\\n)?["']? )?/y;

/** Adds the secret in `gh auth login --with-token <<< …`. */
function findHereString(text: string, at: number, found: Span[]): void {
  const line = text.slice(Math.max(0, at - 132), at - 4);
  const value = shellValueAt(text, at);
  if (value === undefined) return;
  if (
    looksRandom(text.slice(value.start, value.end), 6) ||
    /\b(?:login|signin|passwd|secret-tool|secrets?|env add|--with-token|--\w+-stdin)\b[^\n]{0,64}$/.test(line)
  )
    addSecret(text, value, "password", "env", found);
}

const WORDS = /\W{1,6}(?:is |= ?|: ?)?["'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])/y;

/** Adds the twelve words and more from which a wallet can be restored. */
function findSeedWords(text: string, at: number, found: Span[]): void {
  WORDS.lastIndex = at;
  const words = WORDS.exec(text)?.[1];
  if (words !== undefined)
    found.push({ start: WORDS.lastIndex - words.length, end: WORDS.lastIndex, rule: "secret" });
}
