import type { Json } from "../objects/json.ts";
import { isObviouslyPlain } from "./obviously-plain.ts";
import type { ExtraPattern, Redactor } from "./redactor.ts";

/** What is new in a commit, and why it is made. */
export interface Fresh<Parts extends object> {
  readonly fresh: Parts;
  readonly notes: string | undefined;
}

export interface RedactedFresh<Parts extends object> extends Fresh<Parts> {
  /** How many secrets there were, never which; undefined when there was none. */
  readonly message?: string;
  /** Which of the configured patterns removed much; undefined when none did. */
  readonly warning?: string;
}

/** The project's own rules, by the names that its configuration has for them. */
export interface RedactionSettings {
  readonly redact: readonly ExtraPattern[];
  readonly redact_allow: readonly string[];
}

/** What is new, without its secrets. */
export async function redactFresh<Parts extends object>(
  { fresh, notes }: Fresh<Parts>,
  { redact, redact_allow }: RedactionSettings,
): Promise<RedactedFresh<Parts>> {
  // The project's own secrets may look like anything.
  if (redact.length === 0 && isObviouslyPlain({ fresh, notes })) return { fresh, notes };
  const { createRedactor } = await import("./redactor.ts");
  const redactor = createRedactor({ extraPatterns: redact, allow: redact_allow });
  const { value, findings } = redactor.redact(fresh as unknown as Json);
  const text = notes === undefined ? undefined : redactor.redactText(notes);
  const count = [...findings, ...(text?.findings ?? [])].reduce((sum, finding) => sum + finding.count, 0);
  const warning = greedyWarning(redactor);
  const clean = { fresh: value as unknown as Parts, notes: text?.value, ...(warning && { warning }) };
  if (count === 0) return clean;
  const what = count === 1 ? "One secret was" : `${count} secrets were`;
  return { ...clean, message: `${what} left out: checkpoints never hold passwords, keys or tokens.` };
}

/** What to say of configured patterns that removed much, which cannot be undone. */
export function greedyWarning({ greedyPatterns }: Redactor): string | undefined {
  if (greedyPatterns.size === 0) return undefined;
  const names = [...greedyPatterns].join(", ");
  return `More than a quarter of a text was removed for good by a redaction pattern of your configuration: ${names}.`;
}
