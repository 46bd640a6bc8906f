/** `password`: the whole word. `user:password`: what follows the first colon, or the percent sign of `user%password`. */
export type SecretForm = "password" | "user:password" | "user%password" | "user,password" | "name=value";

/** An option, mostly a short one, whether its value stands right after it or is a word of its own, and what that holds. */
type CommandOption = readonly [flag: string, place: "attached" | "separate" | "both", form?: SecretForm];

/** Short options mean something else in every command, so these are listed; long ones speak for themselves. */
const COMMAND_OPTIONS: readonly (readonly [commands: string, ...options: readonly CommandOption[]])[] = [
  ["redis-cli redis-benchmark valkey-cli keydb-cli", ["-a", "separate"], ["--pass", "separate"]],
  ["mysql mysqldump mysqladmin mysqlimport mysqlshow mariadb mariadb-dump mycli", ["-p", "attached"]],
  ["sshpass", ["-p", "both"]],
  // As in `docker login`, `az login`, `helm registry login`; elsewhere -p is a port.
  ["login rabbitmqadmin cqlsh", ["-p", "separate"]],
  ["mongo mongosh mongodump mongorestore mongoexport mongoimport", ["-p", "separate"]],
  [
    "curl",
    ["-u", "both", "user:password"],
    ["-U", "both", "user:password"],
    ["-b", "separate", "name=value"],
  ],
  [
    "smbclient smbget smbcacls smbcquotas rpcclient",
    ["-U", "both", "user%password"],
    ["--user", "separate", "user%password"],
  ],
  ["http https xh", ["-a", "separate", "user:password"], ["--auth", "separate", "user:password"]],
  ["ldapsearch ldapmodify ldapadd ldapwhoami", ["-w", "both"]],
  ["sqlcmd bcp", ["-P", "both"]],
  ["zip unzip", ["-P", "separate"]],
  ["7z 7za 7zr unrar", ["-p", "attached"]],
  ["rar", ["-p", "attached"], ["-hp", "attached"]],
  ["plink pscp psftp putty", ["-pw", "separate"]],
  ["ldappasswd", ["-w", "both"], ["-s", "separate"]],
  ["slappasswd", ["-s", "separate"]],
  ["useradd usermod supabase certutil", ["-p", "separate"]],
  ["security", ["-p", "separate"], ["-P", "separate"], ["-w", "separate"]],
  ["p4 mosquitto_pub mosquitto_sub ipmitool", ["-P", "separate"]],
  ["swaks", ["-ap", "separate"]],
  ["ssh-keygen", ["-N", "separate"], ["-P", "separate"]],
  ["lftp", ["-u", "separate", "user,password"]],
  ["snmpwalk snmpget snmpset snmpbulkwalk snmptrap", ["-A", "separate"], ["-X", "separate"]],
  [
    "openssl",
    ["-k", "separate"],
    ["-K", "separate"],
    ["-hmac", "separate"],
    ["-passin", "separate"],
    ["-passout", "separate"],
  ],
  // Known so that their -p and -P are not taken for those of a command before them.
  ["ssh scp sftp psql pg_dump kubectl git nc"],
  ["wget", ["--http-passwd", "separate"]],
];

let byCommand: ReadonlyMap<string, readonly CommandOption[]> | undefined;

/** The options of each known command that hold secrets. */
export function commandOptions(): ReadonlyMap<string, readonly CommandOption[]> {
  byCommand ??= new Map(
    COMMAND_OPTIONS.flatMap(([names, ...options]) =>
      names.split(" ").map((name) => [name, options] as const),
    ),
  );
  return byCommand;
}

let commandPattern: RegExp | undefined;

/** A known command as a word of its own, at the end of a path or not. */
export function knownCommand(): RegExp {
  commandPattern ??= new RegExp(
    `(?:^|[^\\w.-]|\\\\n)(${[...commandOptions().keys()].join("|")})(?=[\\s"'])`,
    "g",
  );
  return commandPattern;
}

/** The command that the word names, with or without its path, if its options are known. */
export function commandName(word: string): string | undefined {
  const name = word.slice(word.lastIndexOf("/") + 1);
  return commandOptions().has(name) ? name : undefined;
}
