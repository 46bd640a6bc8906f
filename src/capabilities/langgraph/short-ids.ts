import type { StoredCheckpoint } from "../../core/store/contract.ts";

/** LangGraph's ids of checkpoints and tasks. Each stands twice in the store, where it is 22 characters long instead of 36. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SHORT = /^\.[-\w]{22}$/;

/** In the order of their codes, so that short ids sort as the long ones do. */
const DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

export function shortId(id: string): string {
  if (!UUID.test(id)) return SHORT.test(id) ? `..${id}` : id;
  let number = BigInt(`0x${id.replaceAll("-", "")}`);
  let short = "";
  for (let at = 0; at < 22; at++, number >>= 6n) short = DIGITS.charAt(Number(number & 63n)) + short;
  return `.${short}`;
}

export function longId(short: string): string {
  if (!SHORT.test(short)) return short.startsWith("...") ? short.slice(2) : short;
  let number = 0n;
  for (const digit of short.slice(1)) number = (number << 6n) | BigInt(DIGITS.indexOf(digit));
  const hex = number.toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** LangGraph's id of a checkpoint. */
export const idOfStored = ({ foreignId = "" }: StoredCheckpoint) => longId(foreignId);
