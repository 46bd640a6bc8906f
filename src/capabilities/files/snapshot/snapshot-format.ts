import { boundaryHashOf } from "../../../core/objects/cut.ts";
import type { Json, JsonObject } from "../../../core/objects/json.ts";
import {
  type Link,
  malformed,
  newValue,
  type NewObject,
  parseObject,
} from "../../../core/objects/object-format.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { checkPlaces, readChecked, type ReadObjects } from "../../../core/objects/read-tree.ts";
import type { SnapshotFile } from "./snapshot-file.ts";

/** Runs of files end behind a path whose hash says so, so that an added file changes one run, whatever its place. */
const [LEAST_FILES, MOST_FILES, CUT_EVERY] = [16, 512, 64];

/** A run of files, and the first path in it. */
export interface SnapshotPart {
  readonly from: string;
  readonly id: ObjectId;
}

/** Writes files, in the order of their paths, as objects: each run refers to the content of its files. */
export function writeParts(
  files: readonly SnapshotFile[],
  before: readonly SnapshotPart[],
): { readonly parts: SnapshotPart[]; readonly objects: NewObject[] } {
  const objects: NewObject[] = [];
  const parts = cutIntoRuns(files).map((run): SnapshotPart => {
    const from = run[0]?.path ?? "";
    const object = writePart(run, before.findLast((part) => part.from <= from)?.id ?? before[0]?.id);
    objects.push(object);
    return { from, id: object.id };
  });
  return { parts, objects };
}

function cutIntoRuns(files: readonly SnapshotFile[]): SnapshotFile[][] {
  const runs: SnapshotFile[][] = [];
  let run: SnapshotFile[] = [];
  for (const file of files) {
    run.push(file);
    const isEnd = run.length >= LEAST_FILES && boundaryHashOf(file.path) % CUT_EVERY === 0;
    if (!isEnd && run.length < MOST_FILES) continue;
    runs.push(run);
    run = [];
  }
  return run.length === 0 ? runs : [...runs, run];
}

function writePart(files: readonly SnapshotFile[], predecessor: ObjectId | undefined): NewObject {
  const links: Link[] = [];
  const linked = <V extends { readonly pieces: readonly ObjectId[] }>(at: Link["path"], version: V) => {
    version.pieces.forEach((target, piece) => links.push({ path: [...at, "pieces", piece], target }));
    return { ...version, pieces: version.pieces.map(() => 0) };
  };
  const body = files.map(({ path, now, leftOut, committed }, at) => ({
    path,
    ...(now && { now: linked(["files", at, "now"], now) }),
    ...(leftOut && { leftOut }),
    ...(committed !== undefined && {
      committed: committed && linked(["files", at, "committed"], committed),
    }),
  }));
  return newValue("V", JSON.stringify({ files: body }), links, predecessor);
}

/** The moment as it is stored: what is said of it, and its runs of files. */
export function writeRoot(
  said: JsonObject,
  parts: readonly SnapshotPart[],
  predecessor: ObjectId | undefined,
): NewObject {
  const links = parts.map(({ id }, at): Link => ({ path: ["parts", at, "files"], target: id }));
  const body = { snapshot: 1, ...said, parts: parts.map(({ from }) => ({ from, files: 0 })) };
  return newValue("V", JSON.stringify(body), links, predecessor);
}

/** Reads roots: what each says, and where its files are. */
export async function readRoots(
  ids: readonly ObjectId[],
  read: ReadObjects,
): Promise<Map<ObjectId, { said: JsonObject; parts: SnapshotPart[] }>> {
  const found = await readChecked([...new Set(ids)], read);
  return new Map(
    [...found].map(([id, bytes]) => {
      const { parts, ...said } = filledIn(bytes) as {
        parts?: { from: string; files: ObjectId }[];
      } & JsonObject;
      if (said["snapshot"] !== 1 || !Array.isArray(parts)) throw malformed("is not a snapshot of files");
      return [id, { said, parts: parts.map(({ from, files }) => ({ from, id: files })) }];
    }),
  );
}

/** The files in these runs. */
export async function readParts(parts: readonly SnapshotPart[], read: ReadObjects): Promise<SnapshotFile[]> {
  const found = await readChecked([...new Set(parts.map(({ id }) => id))], read);
  return parts.flatMap(
    ({ id }) => (filledIn(found.get(id) as Uint8Array) as unknown as { files: SnapshotFile[] }).files,
  );
}

/** A body with the ids of what is linked in its places, instead of the values. */
function filledIn(bytes: Uint8Array): JsonObject {
  const object = parseObject(bytes);
  if ("children" in object) throw malformed("is not a snapshot of files");
  const json = JSON.parse(object.body) as JsonObject;
  checkPlaces(json, object.links);
  for (const { path, target } of object.links) {
    let place: Json = json;
    for (const step of path.slice(0, -1)) place = (place as JsonObject)[step as string] as Json;
    (place as JsonObject)[path.at(-1) as string] = target as string;
  }
  return json;
}
