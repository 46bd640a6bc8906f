import { CheckpointError } from "../errors.ts";
import { formatPath, type Json, type JsonObject, type Path, setOwn } from "../objects/json.ts";
import type { TextPatterns } from "./custom-patterns.ts";
import { findInArguments } from "./find-options.ts";
import { findByPlace } from "./find-positional.ts";
import { remember } from "./find-remembered.ts";
import { type KeyKind, ruleOf, cachedKeyKind, namesSecret } from "./key-names.ts";
import { redactText, type RuleCounts } from "./redact-text.ts";
import { placeholder, replaceSpans, isPlaceholder } from "./span.ts";
import { isSecretValue } from "./values.ts";
import { isRecord, textOf } from "../text/untrusted.ts";

/** Where something was replaced, by which rule, and how often. Never the secret or any part of it. */
export interface Finding {
  readonly path: Path;
  readonly rule: string;
  readonly count: number;
}

/** Deeper than any state that can be stored. What lies below is cut off rather than let through unseen. */
const MAX_DEPTH = 1000;

/** One walk through a JSON value. */
interface RedactionWalk {
  readonly patterns: TextPatterns;
  readonly findings: Finding[];
  readonly path: (string | number)[];
  readonly ancestors: (readonly Json[] | JsonObject)[];
}

/** The value without its secrets; parts that hold none come back as the same objects. */
export function redactJson(value: Json, patterns: TextPatterns): { value: Json; findings: Finding[] } {
  const walk: RedactionWalk = { patterns, findings: [], path: [], ancestors: [] };
  return { value: redactValue(walk, value, "plain"), findings: walk.findings };
}

function redactValue(walk: RedactionWalk, value: Json, kind: KeyKind): Json {
  const report = (rule: string, count: number) => walk.findings.push({ path: [...walk.path], rule, count });
  if (typeof value === "string") return redactString(value, kind, walk.patterns, report);
  if (typeof value === "number") return redactNumber(value, kind, walk.patterns, report);
  if (typeof value !== "object" || value === null) return value;
  if (walk.ancestors.length >= MAX_DEPTH) return cutOff(walk, report);
  walk.ancestors.push(value);
  const redacted = Array.isArray(value) ? redactArray(walk, value, kind) : redactObject(walk, value, kind);
  walk.ancestors.pop();
  return redacted;
}

function redactArray(walk: RedactionWalk, values: Json[], kind: KeyKind): Json[] {
  let result = redactArguments(walk, values);
  for (const [index, value] of result.entries()) {
    walk.path.push(index);
    const redacted = redactValue(walk, value, typeof value === "object" ? kindBelow(kind) : kind);
    walk.path.pop();
    if (redacted === value) continue;
    if (result === values) result = [...values];
    result[index] = redacted;
  }
  return result;
}

/** A command as a list of words: only the word before tells that `governance2026` is a password. */
function redactArguments(walk: RedactionWalk, values: Json[]): Json[] {
  if (typeof values[0] !== "string") return values;
  const words = values.map((value) => (typeof value === "string" ? value : ""));
  let result = values;
  const byOption = words.some((word) => word.startsWith("-")) ? findInArguments(words) : [];
  for (const { index, span } of [...byOption, ...findByPlace(words)]) {
    const word = words[index] ?? "";
    if (walk.patterns.isAllowed(word.slice(span.start, span.end))) continue;
    remember(walk.patterns.memory, word.slice(span.start, span.end));
    if (result === values) result = [...values];
    result[index] = replaceSpans(word, [span]);
    walk.findings.push({ path: [...walk.path, index], rule: span.rule, count: 1 });
  }
  return result;
}

function redactObject(walk: RedactionWalk, owner: JsonObject, kind: KeyKind): JsonObject {
  const keys = Object.keys(owner);
  let result: JsonObject | undefined;
  for (const [index, key] of keys.entries()) {
    const value = owner[key] as Json;
    const { name, rules } = redactKey(
      key,
      walk.patterns,
      (taken) => Object.hasOwn(result ?? owner, taken) || Object.hasOwn(owner, taken),
    );
    // The path has the new name: the old one is the secret.
    walk.path.push(name);
    for (const [rule, count] of rules) walk.findings.push({ path: [...walk.path], rule, count });
    const own = propertyKind(owner, name);
    const redacted = redactValue(walk, value, own === "plain" ? kind : forContent(own, name, value));
    walk.path.pop();
    if (result === undefined && name === key && redacted === value) continue;
    result ??= copyOf(owner, keys.slice(0, index));
    setOwn(result, name, redacted);
  }
  return result ?? owner;
}

/** `secrets: {…}` and `cookies: {…}` hold nothing else; a single `secret: {…}` may describe one. */
function forContent(kind: KeyKind, key: string, value: Json): KeyKind {
  return isRecord(value) && !/s$/i.test(key) ? kindBelow(kind) : kind;
}

/** What the name of an object or list says about members whose own names say nothing. */
function kindBelow(kind: KeyKind): KeyKind {
  return kind === "reference" || kind === "pin" || kind === "plain" ? "plain" : "weak";
}

function copyOf(owner: JsonObject, keys: readonly string[]): JsonObject {
  const copy: JsonObject = {};
  for (const key of keys) setOwn(copy, key, owner[key] as Json);
  return copy;
}

function cutOff(walk: RedactionWalk, report: (rule: string, count: number) => void): string {
  if (new Set(walk.ancestors).size < walk.ancestors.length) {
    const path = formatPath(walk.path.slice(0, 20));
    throw new CheckpointError("usage", `The value at ${path} … contains itself.`, {
      hint: "State must be plain JSON.",
    });
  }
  report("too-deep", 1);
  return placeholder("too-deep");
}

type ReportFinding = (rule: string, count: number) => void;

/** The string without its secrets: replaced as a whole if its name says so, and otherwise part by part. */
function redactString(text: string, kind: KeyKind, patterns: TextPatterns, report: ReportFinding): string {
  const counts: RuleCounts = new Map();
  const redacted = redactText(text, patterns, { random: kind !== "reference" }, counts);
  // Also judged as it would be next time: redacting twice must change nothing more.
  const isSecret = (value: string) => isSecretValue(value, kind, "structure");
  const isWhole = namesSecret(kind) && (isSecret(text) || isSecret(redacted)) && !patterns.isAllowed(text);
  // A precise rule that takes the whole value names it better than its key does.
  if (isWhole && !isPlaceholder(redacted)) {
    remember(patterns.memory, text);
    return replaceWhole(kind, report);
  }
  for (const [rule, count] of counts) report(rule, count);
  return redacted;
}

/** A number is a secret only if it is called a password or a PIN and has at least four digits: others count something. */
function redactNumber(value: number, kind: KeyKind, patterns: TextPatterns, report: ReportFinding): Json {
  if (kind !== "password" && kind !== "pin") return value;
  const isSecret = Number.isInteger(value) && value >= 1000 && !patterns.isAllowed(String(value));
  return isSecret ? replaceWhole(kind, report) : value;
}

function replaceWhole(kind: KeyKind, report: ReportFinding): string {
  const rule = ruleOf(kind);
  report(rule, 1);
  return placeholder(rule);
}

const NO_RULES: RuleCounts = new Map();
/** Nothing that is recognised by its looks is shorter. */
const MIN_LENGTH = 12;

/**
 * The name of a property without secrets: a map may have tokens or addresses with passwords as its keys.
 * Two that would become the same are told apart by a number, so that no value is lost.
 */
function redactKey(
  key: string,
  patterns: TextPatterns,
  isTaken: (name: string) => boolean,
): { name: string; rules: RuleCounts } {
  if (key.length < MIN_LENGTH) return { name: key, rules: NO_RULES };
  const rules: RuleCounts = new Map();
  const redacted = redactText(key, patterns, { random: false }, rules);
  if (redacted === key) return { name: key, rules: NO_RULES };
  let name = redacted;
  for (let number = 2; isTaken(name); number += 1) name = `${redacted} (${number})`;
  return { name, rules };
}

/** The private members of a JSON Web Key, whose names alone say nothing. */
const JWK_MEMBERS = new Set(["d", "p", "q", "dp", "dq", "qi", "k"]);

/**
 * What the name of a property says about its value, with its neighbours taken into account:
 * `{name: "DB_PASSWORD", value: …}`, `{user: …, pass: …}`, `{kty: …, d: …}`.
 */
function propertyKind(owner: JsonObject, key: string): KeyKind {
  if (key === "value") return nameKind(textOf(owner, "name", "key", "Name", "variable"));
  if (key === "Value") return nameKind(textOf(owner, "Name", "Key"));
  if (key === "pass" || key === "pwd")
    return textOf(owner, "user", "username", "login", "email") === undefined ? "weak" : "password";
  if (JWK_MEMBERS.has(key) && textOf(owner, "kty") !== undefined) return "secret";
  return cachedKeyKind(key);
}

function nameKind(name: string | undefined): KeyKind {
  return name !== undefined && /^[\w.-]{1,96}$/.test(name) ? cachedKeyKind(name) : "plain";
}
