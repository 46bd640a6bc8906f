import type { Finding, Redactor } from "../../redaction/redactor.ts";
import { type JsonObject, setOwn } from "../../objects/json.ts";
import { asRecord } from "../../text/untrusted.ts";

export interface CleanLine {
  readonly text: string;
  readonly secrets: number;
}

/**
 * A line without its secrets. One without any is kept as it is, byte for byte; one with some is written again as JSON,
 * because only in the parsed value do key names and escapes mean what they say.
 */
export function redactLine(text: string, value: unknown, redactor: Redactor): CleanLine {
  if (asRecord(value) === undefined) return redactPlain(text, redactor);
  const original = value as JsonObject;
  const { value: redacted, findings } = redactor.redact(original);
  const opaque = findings.filter((finding) => isOpaque(original, finding));
  const secrets = findings.filter((finding) => !opaque.includes(finding));
  if (secrets.length === 0) return { text, secrets: 0 };
  const clean = structuredClone(redacted);
  for (const { path } of opaque) putBack(clean, original, path);
  return { text: JSON.stringify(clean), secrets: count(secrets) };
}

function redactPlain(text: string, redactor: Redactor): CleanLine {
  const { value, findings } = redactor.redactText(text);
  return { text: value, secrets: count(findings) };
}

/**
 * What clients keep that looks random and opens nothing: signatures and encrypted thoughts that only the model's maker
 * can read, and pictures. A client refuses to go on from a transcript in which they were changed.
 */
function isOpaque(line: JsonObject, { path, rule }: Finding): boolean {
  if (rule !== "random-token") return false;
  const name = path.at(-1);
  if (name === "signature" || name === "encrypted_content") return true;
  return name === "data" && asRecord(ownerAt(line, path))?.["media_type"] !== undefined;
}

function putBack(target: unknown, original: unknown, path: Finding["path"]): void {
  const to = asRecord(ownerAt(target, path));
  const from = asRecord(ownerAt(original, path));
  const name = String(path.at(-1));
  if (to !== undefined && from !== undefined)
    setOwn(to as JsonObject, name, (from as JsonObject)[name] ?? "");
}

/** The object that holds what a path leads to. */
function ownerAt(value: unknown, path: Finding["path"]): unknown {
  let found: unknown = value;
  for (const step of path.slice(0, -1)) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found;
}

const count = (findings: readonly Finding[]) => findings.reduce((sum, finding) => sum + finding.count, 0);
