import { findHeaderValue } from "./find-headers.ts";
import { cachedKeyKind, type KeyKind, mayNameSecret, namesSecret, ruleOf } from "./key-names.ts";
import { keyBefore, quotedValueAt, shellValueAt, type TextValue } from "./names-and-values.ts";
import { isGenerated } from "./randomness.ts";
import type { Span } from "./span.ts";
import { isPasswordLike, isSecretValue } from "./values.ts";

/** How sure a joint makes that a value follows: `assigns` says so, `follows` may also be the next word of a sentence. */
type Joint = "assigns" | "follows";

/** Also as JSON has it, and with the mark that a diff puts before a line. */
const LINE_BREAK = String.raw`(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)[+]?`;

/** What may stand between a name and its value besides `:` and `=`, which `findAssignment` knows more about. */
const ASSIGNING = [
  // const token: string = "…", let token: &str = "…"
  String.raw` ?\??: ?&?(?:'static )?(?:[Ss]tring|str|SecureString)\??(?: \| \w{1,16})? ?= ?`,
  // :token => "…", token == "…"
  String.raw` ?(?:=>|===?) ?(?=\\{0,7}["'])`,
  // TOKEN -> …, process.env.TOKEN || "…", ${TOKEN:-…}
  String.raw` ?(?:->|→|\|\||\?\?) ?`,
  ":-(?! )",
  // | TOKEN | … |
  String.raw`\x60? {0,24}\| {1,24}`,
  // **Token:** …, **Token**: …, `TOKEN`: `…`
  String.raw`:?[*_\x60]{1,3}(?: ?[:=])? {0,4}`,
  // The token is …, the password for the admin has been set to …, password changed to …
  String.raw` (?:for (?:the )?[^\s:]{1,32}(?: user)? )?(?:(?:is|was|are|has been|will be)(?: now)?(?: (?:set|changed|reset|rotated|updated)(?: to)?)?|(?:set|changed|reset|rotated|updated) to):? `,
  // <key>token</key><string>…</string>
  String.raw`</key>(?:\\{1,7}[nrt]|[\s+]){0,32}<string>`,
  // token: |- and the value on the next line
  String.raw`: ?[|>][-+]?${LINE_BREAK}[ \t]{1,32}`,
  // TOKEN=$(echo …)
  String.raw`=["']?\$\(echo (?:-n )?`,
].join("|");

const FOLLOWING = [
  // ("TOKEN", "…"), setToken("…")
  String.raw`\\{0,7}["'\x60], {0,16}(?=\\{0,7}["'\x60])`,
  String.raw`\((?:\[?[bNrfu]?)(?=\\{0,7}["'\x60])`,
  // gh secret set TOKEN --body …, secret put TOKEN <<< …
  String.raw` (?:(?:-{1,2}[a-z-]{1,20}[ =][A-Za-z]{1,20} ){0,3}-{1,2}[a-z]{1,12}[ =]|<<< ?)`,
  String.raw`\\{0,7}["'\x60]? {1,4}(?!-)`,
  // $ printenv TOKEN, and its value on the next line
  String.raw`\}?["%]?${LINE_BREAK}(?<=(?:printenv |echo ["'$%{]{1,3}|\$env:)[\w.-]{1,96}\}?["%]?${LINE_BREAK})`,
].join("|");

const JOINT = new RegExp(`(?<assigns>${ASSIGNING})|(?:${FOLLOWING})`, "y");
const MAX_NAME_LENGTH = 96;
/** Commands that set passwords: users and options follow. */
const COMMANDS = /(?:^|\/)(?:\w{2,9}passwd|sshpass|passwd)$/;

/**
 * Adds the secret that follows the name that ends at `end`, whatever stands between the two in program code, documents,
 * commands and sentences: `API_KEY || "…"`, `| API_KEY | … |`, `setx API_KEY …`, "the password is …".
 */
export function findNamed(text: string, start: number, end: number, found: Span[]): void {
  const word = text.slice(Math.max(start, end - MAX_NAME_LENGTH), end);
  if (!mayNameSecret(word) || COMMANDS.test(word)) return;
  const name = word.length <= 6 ? (keyBefore(text, end)?.name ?? word) : word;
  const kind = cachedKeyKind(name);
  if (!namesSecret(kind) || kind === "pin") return;
  JOINT.lastIndex = end;
  const match = JOINT.exec(text);
  if (match === null) return;
  const from = JOINT.lastIndex;
  if (kind === "authorization" || kind === "cookie") {
    // request.header("Authorization", "Bearer …")
    if (/["'`], {0,16}$/.test(match[0])) findHeaderValue(text, from, kind, found);
    return;
  }
  const value = quotedValueAt(text, from) ?? unbracketed(text, shellValueAt(text, from));
  if (value === undefined) return;
  const joint: Joint = match.groups?.["assigns"] === undefined ? "follows" : "assigns";
  const isSet = /\b(?:set|put|add|setenv|ENV|SetEnv)(?: -\w{1,3})? ["']?$/.test(
    text.slice(Math.max(0, start - 12), start),
  );
  if (isNamedSecret(text.slice(value.start, value.end), name, kind, isSet ? "assigns" : joint, value))
    found.push({ start: value.start, end: value.end, rule: ruleOf(kind) });
}

/** Without the bracket that closes `${TOKEN:-…}`, the tag that follows, or the next parameter of an address. */
function unbracketed(text: string, value: TextValue | undefined): TextValue | undefined {
  if (value === undefined) return undefined;
  const word = text.slice(value.start, value.end);
  const key = word.replace(/&[\w.-]{1,64}=.{0,512}$/s, "");
  const secret = isGenerated(key) ? key : word.replace(/(?:[)\]}]{1,8}|<\/.{0,64})$/s, "");
  return { ...value, end: value.start + secret.length };
}

function isNamedSecret(secret: string, name: string, kind: KeyKind, joint: Joint, value: TextValue): boolean {
  // The next option, or what a synopsis has in brackets.
  if (/^[-([<{$]/.test(secret)) return false;
  if (isGenerated(secret)) return isSecretValue(secret, kind, "quoted");
  // An expression: `this.token || this.tokens[1]`.
  if (!value.isQuoted && /[()[\]]/.test(secret)) return false;
  if (kind === "weak") return joint === "assigns" && value.isQuoted && isPasswordLike(secret);
  if (kind === "opaque") return false;
  const notation = value.isQuoted ? "quoted" : "bare";
  if (kind === "password" && joint === "assigns") return isSecretValue(secret, kind, notation);
  // Only settings are called so: `define("DB_PASSWORD", "…")`.
  if (/^[A-Z0-9]{1,40}_[A-Z0-9_]{1,40}$/.test(name) && value.isQuoted)
    return isSecretValue(secret, kind, notation);
  if (!isPasswordLike(secret)) return false;
  if (joint === "assigns") return isSecretValue(secret, kind, notation);
  // A word of prose has no joints: "the password field2".
  const isSetting = /[A-Za-z0-9][_.-][A-Za-z]/.test(name);
  return isSetting || (kind === "password" && (value.isQuoted || /[0-9]/.test(secret)));
}
