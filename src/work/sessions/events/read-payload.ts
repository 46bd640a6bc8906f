import { asRecord, parseJson } from "../../../core/text/untrusted.ts";

/** Larger events are ignored: reading them would keep the agent waiting. */
export const MAX_PAYLOAD_BYTES = 16 * 2 ** 20;

export type ReadPayload =
  | { readonly fields: Readonly<Record<string, unknown>>; readonly problem?: never }
  | { readonly fields?: never; readonly problem: string };

/** The fields of what a client sent, as an object, text or bytes; or why there are none. Never throws. */
export function readPayload(payload: unknown): ReadPayload {
  const isBytes = payload instanceof Uint8Array;
  if (!isBytes && typeof payload !== "string") return readFields(payload);
  if (payload.length > MAX_PAYLOAD_BYTES)
    return { problem: `it is too large (${Math.floor(payload.length / 2 ** 20)} MB or more)` };
  const text = isBytes ? new TextDecoder().decode(payload) : payload;
  if (text.trim() === "") return { problem: "it is empty" };
  const value = parseJson(text);
  return value === undefined ? { problem: `it is not JSON (${text.length} characters)` } : readFields(value);
}

function readFields(value: unknown): ReadPayload {
  const fields = asRecord(value);
  return fields === undefined ? { problem: "it is not a JSON object" } : { fields };
}
