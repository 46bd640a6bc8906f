import { type Json, type JsonObject, setOwn } from "../../core/objects/json.ts";

/** How bytes stand in a state, which is JSON; and how an object that happens to look like that does. */
const BYTES = "$bytes";
const PLAIN = "$plain";

/** An item as JSON. Properties that are undefined are left out, as JSON does. */
export function toJson(value: unknown): Json {
  if (value instanceof Uint8Array) return { [BYTES]: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : toJson(item)));
  if (typeof value !== "object" || value === null) return value as Json;
  const json: JsonObject = {};
  for (const [name, item] of Object.entries(value)) if (item !== undefined) setOwn(json, name, toJson(item));
  return BYTES in json || PLAIN in json ? { [PLAIN]: json } : json;
}

/** The item that was stored, as a copy that its reader may change. */
export function fromJson(json: Json): unknown {
  if (Array.isArray(json)) return json.map(fromJson);
  if (typeof json !== "object" || json === null) return json;
  const bytes = json[BYTES];
  if (typeof bytes === "string") return new Uint8Array(Buffer.from(bytes, "base64"));
  const plain = json[PLAIN];
  const own = plain === undefined ? json : (plain as JsonObject);
  const value: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(own)) setOwn(value as JsonObject, name, fromJson(item) as Json);
  return value;
}
