import { asRecord, parseJson } from "../../core/text/untrusted.ts";
import { setOwn } from "../../core/objects/json.ts";

/**
 * The event that a hook is about, from the arguments of the tool. A hook writes `"prompt": "${prompt}"` for each field;
 * the client puts the value there: some keep its type, some make text of it, and what the event does not have
 * becomes an empty text. So empty texts are left out, and texts that are JSON where a structure belongs become one.
 */
export function hookPayload({
  payload,
  ...fields
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const event: Record<string, unknown> = {};
  const whole = asRecord(typeof payload === "string" ? parseJson(payload) : payload) ?? {};
  for (const [name, value] of [...Object.entries(whole), ...Object.entries(fields)]) {
    if (value === "" || value === undefined || isUnfilled(value)) continue;
    setOwn(event as never, name, (TEXTS.has(name) ? value : structured(value)) as never);
  }
  return event;
}

/** Fields that are texts even when they look like JSON, because a person or a model wrote them. */
const TEXTS: ReadonlySet<string> = new Set([
  "prompt",
  "last_assistant_message",
  "compact_summary",
  "custom_instructions",
  "task_subject",
  "task_description",
  "message",
  "error",
  "error_details",
]);

function structured(value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (value === "true" || value === "false") return value === "true";
  return /^\s*[[{]/.test(value) ? (parseJson(value) ?? value) : value;
}

/** A placeholder that the client did not know what to do with. */
function isUnfilled(value: unknown): boolean {
  return typeof value === "string" && /^\$\{[\w.]+\}$/.test(value);
}
