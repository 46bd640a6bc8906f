import { decode, decodeLinked } from "../../objects/decode.ts";
import type { Json, JsonObject, Path } from "../../objects/json.ts";
import { type Child, type Link, parseObject, type Target } from "../../objects/object-format.ts";
import { readChecked, type ReadObjects } from "../../objects/read-tree.ts";

/**
 * Reads one place of a stored state, and of everything else only what is on the way there: the subject of one
 * task in a state of megabytes costs a few objects. Undefined when there is no such place.
 */
export async function readAt(target: Target, path: Path, read: ReadObjects): Promise<Json | undefined> {
  if (path.length === 0) return decode(target, read);
  if (typeof target !== "string") return inIndex(target.kind, target.children, path, read);
  const object = parseObject((await readChecked([target], read)).get(target) as Uint8Array);
  if ("children" in object) return inIndex(object.kind, object.children, path, read);
  return inValue(JSON.parse(object.body) as Json, object.links, path, read);
}

/** Goes along the path until it ends, or until the rest of it is elsewhere. */
async function inValue(
  value: Json,
  links: readonly Link[],
  path: Path,
  read: ReadObjects,
): Promise<Json | undefined> {
  const link = links.find((candidate) => startsWith(path, candidate.path));
  if (link !== undefined) return readAt(link.target, path.slice(link.path.length), read);
  let found: Json | undefined = value;
  for (const step of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as JsonObject)[step];
  }
  const inside = links
    .filter((candidate) => startsWith(candidate.path, path))
    .map(({ path: whole, target }) => ({ path: whole.slice(path.length), target }));
  return decodeLinked({ json: found as Json, links: inside }, read);
}

async function inIndex(
  kind: "A" | "M" | "S",
  children: readonly Child[],
  path: Path,
  read: ReadObjects,
): Promise<Json | undefined> {
  if (kind === "S") return undefined;
  let before = 0;
  for (const [count, id] of children) {
    const position = Number(path[0]) - before;
    before += count;
    // Which entries of a map are in which child, only the children know.
    if (kind === "A" && position >= count) continue;
    const found = await readAt(id, kind === "A" ? [position, ...path.slice(1)] : path, read);
    if (kind === "A" || found !== undefined) return found;
  }
  return undefined;
}

function startsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((step, index) => String(step) === String(path[index]));
}
