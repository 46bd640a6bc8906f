import { CheckpointError } from "../errors.ts";
import type { ObjectId } from "../objects/object-id.ts";

/** Names that Windows keeps for devices; a trail may one day be a file there. */
const RESERVED = /^(con|prn|aux|nul|(com|lpt)[\d¹²³])$/i;

const MAX_LENGTH = 200;

/** No spaces, no control characters, nothing that a path could mean; no dot or colon at the end. */
const PART = /^\w(?:[\w.@+=:~-]*[\w@+=~-])?$/;

/** Letters and digits of all scripts as an `x`. Patterns of Unicode classes take milliseconds to build, and most names are ASCII. */
export function lettersAsAscii(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : text.replaceAll(/[\p{L}\p{N}]/gu, "x");
}

/**
 * Checks a trail's name, before anything is touched: parts of letters, digits and `_ . @ + = : ~ -`,
 * separated by slashes, as in `main`, `session/5f3a`, `run/build-1`.
 */
export function parseTrailName(name: string): string {
  const why = whyNot(name);
  if (why === undefined) return name;
  throw new CheckpointError("usage", `${JSON.stringify(shorten(name))} is not a trail name: ${why}.`, {
    hint: 'Use letters, digits, "-", "_", "." and "/", as in "main" or "session/5f3a".',
    details: { name: shorten(name) },
  });
}

function whyNot(name: unknown): string | undefined {
  if (typeof name !== "string" || name === "") return "it is empty";
  if (name.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
  const parts = name.split("/");
  if (name !== name.normalize("NFC")) return "its characters are not in composed form (NFC)";
  const bad = parts.find((part) => !PART.test(lettersAsAscii(part)) || part.includes(".."));
  if (bad !== undefined) return `${JSON.stringify(shorten(bad))} is not allowed in it`;
  const reserved = parts.find(
    (part) => RESERVED.test(part.split(".", 1)[0] as string) || part.endsWith(".lock"),
  );
  return reserved && `"${reserved}" is a reserved word`;
}

const shorten = (text: unknown) => String(text).slice(0, 60);

/** How people name a checkpoint: `ckpt-YYYYMMDD-HHMMSS-xxxxxxxx`, UTC, the tail from its hash. */
export type CheckpointId = string & { readonly __brand: "CheckpointId" };

/** The display name of a checkpoint. A longer tail tells two apart that share the first eight digits. */
export function checkpointIdOf(createdAt: string, hash: ObjectId, tailLength = 8): CheckpointId {
  const digits = createdAt.replaceAll(/\D/g, "");
  return `ckpt-${digits.slice(0, 8)}-${digits.slice(8, 14)}-${hash.slice(0, tailLength)}` as CheckpointId;
}

/** What to search for when a user typed part of an id. */
export interface IdQuery {
  /** The first digits of the hash. */
  readonly idPrefix?: string;
  /** The span of time, in milliseconds since 1970, that the date part stands for. */
  readonly createdFrom?: number;
  readonly createdTo?: number;
}

const ID = /^ckpt-(\d{1,8})(?:-(\d{0,6})(?:-([0-9a-f]{0,64}))?)?$/;
const HASH = /^[0-9a-f]{4,64}$/;

/** Reads an id, the beginning of one, or a hash or its first digits (at least four). */
export function parseIdQuery(text: string): IdQuery {
  if (HASH.test(text)) return { idPrefix: text };
  const [, date, time = "", tail = ""] = ID.exec(text) ?? [];
  if (date === undefined || (date.length < 8 && time !== "")) throw malformed(text);
  if (tail.length >= 8) return { idPrefix: tail };
  const span = spanOf(date + time);
  return tail === "" ? span : { ...span, idPrefix: tail };
}

function spanOf(digits: string): IdQuery {
  const from = timeOf(digits.padEnd(14, "0"));
  const to = timeOf(digits.padEnd(14, "9"));
  return { createdFrom: from, createdTo: to + 999 };
}

/** Digits as a time. Parts that are out of range count as the nearest possible. */
function timeOf(digits: string): number {
  const part = (start: number, end: number, low: number, high: number) =>
    Math.min(high, Math.max(low, Number(digits.slice(start, end))));
  const [year, month] = [part(0, 4, 1970, 9999), part(4, 6, 1, 12)];
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const clock = [part(8, 10, 0, 23), part(10, 12, 0, 59), part(12, 14, 0, 59)] as const;
  return Date.UTC(year, month - 1, part(6, 8, 1, lastDay), ...clock);
}

function malformed(text: string): CheckpointError {
  return new CheckpointError("usage", `${JSON.stringify(text.slice(0, 80))} is not a checkpoint id.`, {
    hint: "An id looks like ckpt-20260123-120000-abc12345; its beginning is enough, and @, @~2 and tags work too: checkpoint list",
    details: { id: text.slice(0, 80) },
  });
}
