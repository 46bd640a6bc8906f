import type { StoredCheckpoint } from "../../core/store/contract.ts";

/** LangGraph's ids are UUIDs. Each stands twice in the store, with 22 characters instead of 36; other ids as they are. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** In the order of their codes, so that short ids sort as the long ones do. */
const SORTED = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

export function shortId(id: string): string {
  if (!UUID.test(id)) return `=${id}`;
  const digits = Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
  return digits.replaceAll(/./g, (digit) => SORTED.charAt(BASE64.indexOf(digit)));
}

export function longId(short: string): string {
  if (short.startsWith("=")) return short.slice(1);
  const digits = short.replaceAll(/./g, (digit) => BASE64.charAt(SORTED.indexOf(digit)));
  const hex = Buffer.from(digits, "base64url").toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export const idOfStored = ({ foreignId = "" }: StoredCheckpoint) => longId(foreignId);

export const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
