import { asRecord, parseJson } from "../../../core/text/untrusted.ts";

/** Larger events are ignored: reading them would keep the agent waiting. */
export const MAX_PAYLOAD_BYTES = 16 * 2 ** 20;

export type ReadPayload =
  | { readonly fields: Readonly<Record<string, unknown>>; readonly problem?: never }
  | { readonly fields?: never; readonly problem: string };

/** The fields of what a client sent, as an object, text or bytes; or why there are none. Never throws. */
export function readPayload(payload: unknown): ReadPayload {
  if (typeof payload === "string") return parse(payload);
  if (payload instanceof Uint8Array) {
    if (payload.byteLength > MAX_PAYLOAD_BYTES) return tooLarge(payload.byteLength);
    return parse(new TextDecoder().decode(payload));
  }
  return readFields(payload);
}

function readFields(value: unknown): ReadPayload {
  const fields = asRecord(value);
  return fields === undefined ? { problem: "it is not a JSON object" } : { fields };
}

function parse(text: string): ReadPayload {
  if (text.length > MAX_PAYLOAD_BYTES) return tooLarge(text.length);
  if (text.trim() === "") return { problem: "it is empty" };
  const value = parseJson(text);
  return value === undefined ? { problem: `it is not JSON (${text.length} characters)` } : readFields(value);
}

function tooLarge(size: number): ReadPayload {
  return { problem: `it is too large (${Math.floor(size / 2 ** 20)} MB or more)` };
}
