/**
 * Whether there is obviously no secret in a value, so that nobody needs to look for one: the rules for that take
 * ten milliseconds to set up, a third of what a whole command may take. Errs on the side of looking: only plain words
 * and paths pass, under names that no secret has. obviously-plain.test.ts holds it against the rules themselves.
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
    ([name, item]) => !SECRET_NAMES.test(name) && isPlainText(name) && isPlainValue(item),
  );
}

/** No secret is called anything without one of these in it. */
const SECRET_NAMES =
  /pass|pwd|secret|token|key|cred|auth|cookie|jwt|bearer|pin|otp|cv[cv]|code|phrase|mnemonic|con|mdp|wort|sig/i;

/** Words after which a secret may stand in a sentence. */
const SUSPICIOUS =
  /pass|pwd|secret|token|key|cred|auth|cookie|jwt|bearer|basic|phrase|mnemonic|mdp|wort|sig|machine|login|identified|private/i;

/** Commands that take a password as a short option, as in `redis-cli -a` and `mysql -p`. */
const COMMANDS_WITH_SECRETS =
  /redis|valkey|keydb|mysql|mariadb|mycli|rabbitmq|cqlsh|mongo|curl|http|\bxh\b|ldap|sqlcmd|bcp|zip|7z|openssl|wget/i;

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
