import { CheckpointError } from "../errors.ts";
import { formatPath, type Json, type JsonObject, type Path, setOwn } from "../objects/json.ts";
import { isRecord } from "../text/untrusted.ts";
import type { TextPatterns } from "./custom-patterns.ts";
import { findInArguments } from "./find-options.ts";
import type { KeyKind } from "./key-names.ts";
import { redactKey } from "./redact-key.ts";
import { redactNumber, redactString } from "./redact-leaf.ts";
import { propertyKind } from "./sibling-kinds.ts";
import { placeholder, replaceSpans } from "./span.ts";

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
  if (!values.some((value) => typeof value === "string" && value.startsWith("-"))) return values;
  const words = values.map((value) => (typeof value === "string" ? value : ""));
  let result = values;
  for (const { index, span } of findInArguments(words)) {
    const word = words[index] ?? "";
    if (walk.patterns.isAllowed(word.slice(span.start, span.end))) continue;
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
