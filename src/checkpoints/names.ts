import { CheckpointError } from "../errors.ts";

/** Names that Windows keeps for devices; a trail may one day be a file there. */
const RESERVED = /^(con|prn|aux|nul|(com|lpt)[\d¹²³])$/i;

const MAX_LENGTH = 200;

/** No spaces, no control characters, nothing that a path could mean; no dot or colon at the end. */
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
  const parts = name.split("/");
  if (name !== name.normalize("NFC")) return "its characters are not in composed form (NFC)";
  const bad = parts.find((part) => !PART.test(part) || part.includes(".."));
  if (bad !== undefined) return `${JSON.stringify(shorten(bad))} is not allowed in it`;
  const reserved = parts.find(
    (part) => RESERVED.test(part.split(".", 1)[0] as string) || part.endsWith(".lock"),
  );
  return reserved && `"${reserved}" is a reserved word`;
}

const shorten = (text: unknown) => String(text).slice(0, 60);
