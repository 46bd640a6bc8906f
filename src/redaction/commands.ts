import { cachedKeyKind } from "./key-names.ts";
import { mayNameSecret } from "./obviously-plain.ts";

/** What an option of a command carries. */
export interface OptionSecret {
  /** `next`: the secret is the word after the option. A number: it begins at that character of the option's own word. */
  readonly at: "next" | number;
  /** Whether the command itself was recognised, so that even an ordinary word is a password. */
  readonly isCertain: boolean;
  /** `password`: the whole word. `user:password`: what follows the first colon, or the percent sign of `user%password`. */
  readonly form: "password" | "user:password" | "user%password";
}

interface ShortOption {
  readonly flag: string;
  readonly form: OptionSecret["form"];
  /** Whether the value may stand directly after the letter, and whether it may be a word of its own. */
  readonly attached: boolean;
  readonly separate: boolean;
}

/** Short options mean something else in every command, so these are listed; long ones speak for themselves. */
export const SHORT_OPTIONS: ReadonlyMap<string, readonly ShortOption[]> = new Map([
  ...commands("redis-cli valkey-cli keydb-cli", option("-a", "separate"), option("--pass", "separate")),
  ...commands(
    "mysql mysqldump mysqladmin mysqlimport mysqlshow mariadb mariadb-dump mycli",
    option("-p", "attached"),
  ),
  ...commands("sshpass", option("-p", "both")),
  // As in `docker login`, `az login`, `helm registry login`; elsewhere -p is a port.
  ...commands("login rabbitmqadmin cqlsh", option("-p", "separate")),
  ...commands("mongo mongosh mongodump mongorestore mongoexport mongoimport", option("-p", "separate")),
  ...commands("curl", option("-u", "both", "user:password"), option("-U", "both", "user:password")),
  ...commands("smbclient smbget rpcclient", option("-U", "both", "user%password")),
  ...commands("http https xh", option("-a", "separate", "user:password")),
  ...commands("ldapsearch ldapmodify ldapadd ldappasswd ldapwhoami", option("-w", "both")),
  ...commands("sqlcmd bcp", option("-P", "both")),
  ...commands("zip unzip", option("-P", "separate")),
  ...commands("7z 7za 7zr", option("-p", "attached")),
  ...commands(
    "openssl",
    option("-k", "separate"),
    option("-passin", "separate"),
    option("-passout", "separate"),
  ),
  // Known so that their -p and -P are not taken for those of a command before them.
  ...commands("ssh scp sftp psql pg_dump kubectl git nc"),
  ...commands("wget", option("--http-passwd", "separate")),
]);

/** Long options that carry `user:password`. */
const PAIR_OPTIONS = new Set(["--user", "--proxy-user", "--basic-auth"]);

/** A known command as a word of its own, at the end of a path or not. */
export const COMMAND = new RegExp(
  `(?:^|[^\\w.-]|\\\\n)(${[...SHORT_OPTIONS.keys()].join("|")})(?=[\\s"'])`,
  "g",
);

/** The command that the word names, with or without its path, if its short options are known. */
export function commandName(word: string): string | undefined {
  const name = word.slice(word.lastIndexOf("/") + 1);
  return SHORT_OPTIONS.has(name) ? name : undefined;
}

/** Whether the option may carry a secret in any command at all: a quick no. */
export function mayCarrySecret(word: string): boolean {
  return (
    /^-(?:[aukUpPw]|pass|-user|-pass|-http|-proxy|-basic)/.test(word) ||
    (/^--?[A-Za-z]/.test(word) && mayNameSecret(word))
  );
}

/** What the option carries when `command` is being run, or undefined if it carries no secret. A quotation mark may follow it: `-p"…"`. */
export function optionSecret(
  word: string,
  command: string | undefined,
  isBeforeQuote = false,
): OptionSecret | undefined {
  for (const { flag, form, attached, separate } of SHORT_OPTIONS.get(command ?? "") ?? []) {
    if (separate && word === flag) return { at: "next", form, isCertain: true };
    if (attached && word.length + (isBeforeQuote ? 1 : 0) > flag.length && word.startsWith(flag))
      return { at: flag.length, form, isCertain: true };
  }
  if (!/^--?[A-Za-z][\w.-]{3,40}$/.test(word)) return undefined;
  if (PAIR_OPTIONS.has(word) && command === "curl")
    return { at: "next", form: "user:password", isCertain: true };
  const kind = cachedKeyKind(word);
  return kind === "password" || kind === "secret" || kind === "token" || kind === "weak"
    ? { at: "next", form: "password", isCertain: false }
    : undefined;
}

function option(
  flag: string,
  place: "attached" | "separate" | "both",
  form: OptionSecret["form"] = "password",
): ShortOption {
  return { flag, form, attached: place !== "separate", separate: place !== "attached" };
}

function commands(names: string, ...options: readonly ShortOption[]): [string, readonly ShortOption[]][] {
  return names.split(" ").map((name) => [name, options]);
}
