import { createHash } from "node:crypto";
import { CheckpointError } from "../errors.ts";

/** Names that Windows keeps for devices; a trail may one day be a file there. */
const RESERVED = /^(con|prn|aux|nul|(com|lpt)[\d¹²³])$/i;

const MAX_LENGTH = 200;

/** What a part of a name may look like: no spaces at its ends, no control characters, nothing a path could mean. */
const PART = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.@+=:~-]*[\p{L}\p{N}_@+=~-])?$/u;

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
  if (name !== name.normalize("NFC")) return "its characters are not in composed form (NFC)";
  const parts = name.split("/");
  const bad = parts.find((part) => !PART.test(part) || part.includes(".."));
  if (bad !== undefined) return `${JSON.stringify(shorten(bad))} is not allowed in it`;
  const reserved = parts.find(
    (part) => RESERVED.test(part.split(".", 1)[0] as string) || part.endsWith(".lock"),
  );
  return reserved && `"${reserved}" is a reserved word`;
}

const shorten = (text: unknown) => String(text).slice(0, 60);

/** Longer parts are cut, and told apart by their hash. */
const MAX_PART_LENGTH = 80;

/**
 * Somebody else's id as a part of a trail's name. What a name cannot hold is written as `~` and its code, so that two
 * ids never become one name; usual ids stay as they are.
 *
 * @example
 * cairn.trail(`thread/${trailPart(threadId)}`)
 */
export function trailPart(id: string): string {
  const safe = marked(id.replaceAll(/[^A-Za-z0-9_.-]|^[.-]|[.-]$|\.\./g, codes));
  const name = whyNot(safe) === undefined ? safe : marked(safe.replaceAll(/^[^~_]|[^~]$/g, codes));
  if (name.length <= MAX_PART_LENGTH && name !== "") return name;
  const hash = createHash("sha256").update(id).digest("hex");
  return `${name.slice(0, MAX_PART_LENGTH - 36).replace(/[.~-]+$/, "")}~h${hash.slice(0, 32)}`.replace(/^~/, "_~");
}

const marked = (name: string) => (name.startsWith("~") ? `_${name}` : name);

function codes(text: string): string {
  return Array.from(text, (character) => `~${character.codePointAt(0)?.toString(16)}`).join("");
}
