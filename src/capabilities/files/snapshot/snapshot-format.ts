import { boundaryHashOf } from "../../../core/objects/cut.ts";
import { type Link, malformed, newValue, type NewObject } from "../../../core/objects/object-format.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { readParsed, type ReadObjects } from "../../../core/objects/read-tree.ts";
import type { SnapshotFile } from "./snapshot-file.ts";

/** A run of files, and the first path in it. */
export interface SnapshotPart {
  readonly from: string;
  readonly id: ObjectId;
}

/** Runs of files end behind a path whose hash says so, so that an added file changes one run, whatever its place. */
const [LEAST_FILES, MOST_FILES, CUT_EVERY] = [16, 512, 64];

/** Writes files, in the order of their paths, as objects: each run refers to the content of its files. */
export function writeParts(
  files: Iterable<SnapshotFile>,
  before: readonly SnapshotPart[],
): { readonly parts: SnapshotPart[]; readonly objects: NewObject[] } {
  const runs: SnapshotFile[][] = [[]];
  for (const file of files) {
    const run = runs.at(-1) as SnapshotFile[];
    const isEnd = run.push(file) >= LEAST_FILES && boundaryHashOf(file.path) % CUT_EVERY === 0;
    if (isEnd || run.length >= MOST_FILES) runs.push([]);
  }
  const written = runs
    .filter((run) => run.length > 0)
    .map((run) => {
      const from = run[0]?.path ?? "";
      const predecessor = before.findLast((part) => part.from <= from) ?? before[0];
      const pieces = run.flatMap(({ now, committed }) => [
        ...(now?.pieces ?? []),
        ...(committed?.pieces ?? []),
      ]);
      return { from, object: holding({ files: run }, pieces, predecessor?.id) };
    });
  return {
    parts: written.map(({ from, object }) => ({ from, id: object.id })),
    objects: written.map(({ object }) => object),
  };
}

/** The moment as it is stored: what is said of it, and its runs of files. */
export function writeRoot(said: object, parts: readonly SnapshotPart[], predecessor?: ObjectId): NewObject {
  const ids = parts.map(({ id }) => id);
  return holding({ snapshot: 1, ...said, parts }, ids, predecessor);
}

/** Reads roots: what each says, and where its files are. */
export async function readRoots<Said>(
  ids: readonly ObjectId[],
  read: ReadObjects,
): Promise<Map<ObjectId, Said & { readonly parts: readonly SnapshotPart[] }>> {
  const bodies = await readBodies<Said & { snapshot: number; parts: SnapshotPart[] }>(ids, read);
  for (const body of bodies.values())
    if (body.snapshot !== 1 || !Array.isArray(body.parts)) throw malformed("is not a snapshot of files");
  return bodies;
}

/** The files in these runs. */
export async function readParts(parts: readonly SnapshotPart[], read: ReadObjects): Promise<SnapshotFile[]> {
  const ids = parts.map(({ id }) => id);
  const bodies = await readBodies<{ files: SnapshotFile[] }>(ids, read);
  return ids.flatMap((id) => bodies.get(id)?.files ?? []);
}

/** A value in which ids stand as text, and which keeps what they name in the store: an object keeps what it links to. */
function holding(body: object, ids: readonly ObjectId[], predecessor?: ObjectId): NewObject {
  const held = [...new Set(ids)];
  const links = held.map((target, at): Link => ({ path: ["held", at], target }));
  return newValue("V", JSON.stringify({ ...body, held: held.map(() => 0) }), links, predecessor);
}

async function readBodies<Body>(ids: readonly ObjectId[], read: ReadObjects): Promise<Map<ObjectId, Body>> {
  const found = await readParsed([...new Set(ids)], read);
  return new Map(
    [...found].map(([id, object]) => {
      if ("children" in object) throw malformed("is not a snapshot of files");
      return [id, JSON.parse(object.body) as Body];
    }),
  );
}
