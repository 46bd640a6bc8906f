import type { Finding, Redactor } from "../../../core/redaction/redactor.ts";
import { type Json, type JsonObject, setOwn } from "../../../core/objects/json.ts";
import { asRecord } from "../../../core/text/untrusted.ts";

export interface CleanLine {
  readonly text: string;
  readonly secrets: number;
}

/**
 * A line without its secrets. One without any is kept as it is, byte for byte; one with some is written again as JSON,
 * because only in the parsed value do key names and escapes mean what they say.
 */
export function redactLine(text: string, value: unknown, redactor: Redactor): CleanLine {
  if (asRecord(value) === undefined) {
    const plain = redactor.redactText(text);
    return { text: plain.value, secrets: count(plain.findings) };
  }
  const original = value as JsonObject;
  const { value: redacted, findings } = redactor.redact(original);
  const opaque = findings.filter((finding) => isOpaque(original, finding));
  const secrets = findings.filter((finding) => !opaque.includes(finding));
  if (secrets.length === 0) return { text, secrets: 0 };
  const clean = structuredClone(redacted);
  for (const { path } of opaque) {
    const [to, from] = [ownerAt(clean, path), ownerAt(original, path)];
    if (to && from) setOwn(to as JsonObject, String(path.at(-1)), from[path.at(-1)!] as Json);
  }
  return { text: JSON.stringify(clean), secrets: count(secrets) };
}

/**
 * What clients keep that looks random and opens nothing: signatures and encrypted thoughts that only the model's maker
 * can read, and pictures. A client refuses to resume from a transcript in which they were changed.
 */
function isOpaque(line: JsonObject, { path, rule }: Finding): boolean {
  if (rule !== "random-token") return false;
  const name = path.at(-1);
  if (name === "signature" || name === "encrypted_content") return true;
  return name === "data" && ownerAt(line, path)?.["media_type"] !== undefined;
}

/** The object that holds what a path leads to. */
function ownerAt(value: unknown, path: Finding["path"]): Readonly<Record<string, unknown>> | undefined {
  const owner = path.slice(0, -1).reduce<unknown>((found, step) => Object(found)[step], value);
  return asRecord(owner);
}

const count = (findings: readonly Finding[]) => findings.reduce((sum, finding) => sum + finding.count, 0);
