import { createHash } from "node:crypto";

/** A short name for a value: the same for equal values, whatever the order of their keys. */
export function fingerprintOf(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("hex").slice(0, 16);
}

function canonical(value: unknown): string {
  if (typeof value === "function") return JSON.stringify(String(value));
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`);
  return `{${parts.join(",")}}`;
}
