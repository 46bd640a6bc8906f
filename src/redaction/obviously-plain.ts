/**
 * Whether a value obviously holds no secret, so that a save need not load the rules, some twenty files. Errs
 * on the side of loading them: only plain words and paths pass, under names that no secret has. A test checks it
 * against the rules themselves.
 */
export function isObviouslyPlain(fresh: object): boolean {
  // The outermost names are our own; below, people choose them.
  return Object.values(fresh).every(isPlainValue);
}

function isPlainValue(value: unknown): boolean {
  if (typeof value === "string") return isPlainText(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlainValue);
  return Object.entries(value).every(
    ([name, item]) => !mayNameSecret(name) && isPlainText(name) && isPlainValue(item),
  );
}

/** Every name of a secret contains one of these. */
const SECRET_STEMS =
  /pass|pwd|secret|token|key|cred|auth|cookie|jwt|bearer|pin|otp|cv[cv]|code|phrase|mnemonic|con|mdp|wort|sig|pat(?![a-z])/i;

/** Whether a value of this name may be a secret at all: a quick no. */
export function mayNameSecret(name: string): boolean {
  return SECRET_STEMS.test(name);
}

/** Words that a secret may follow in a sentence. */
const SUSPICIOUS =
  /pass|pwd|secret|token|key|cred|auth|cookie|jwt|bearer|basic|phrase|mnemonic|mdp|wort|sig|machine|login|identified|private/i;

/** Commands that take a password as a short option, as in `redis-cli -a` and `mysql -p`. */
const COMMANDS_WITH_SECRETS =
  /redis|valkey|keydb|mysql|mariadb|mycli|rabbitmq|cqlsh|mongo|curl|http|\bxh\b|ldap|sqlcmd|bcp|zip|7z|openssl|wget|smb|rpcclient|\bmc\b/i;

/** Nothing that assigns, addresses or escapes. */
const PLAIN = /^[A-Za-z0-9 _./,()!?&|;<>*"'#%^{}[\]\n+-]*$/;

/** A name in lower case may be long, as paths are; with capitals or digits in it, it may not. */
const LONG_WORD = /[A-Za-z0-9_./+-]{16}/;
const LOWER_CASE = /^[a-z_./-]*$/;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function isPlainText(text: string): boolean {
  if (COMMIT.test(text)) return true;
  if (text.startsWith("-") || !PLAIN.test(text) || SUSPICIOUS.test(text)) return false;
  if (COMMANDS_WITH_SECRETS.test(text)) return false;
  return text.split(/[^A-Za-z0-9_./+-]/).every((word) => !LONG_WORD.test(word) || LOWER_CASE.test(word));
}
