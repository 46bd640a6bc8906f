import { rawContent } from "../../../core/objects/object-format.ts";
import { readChecked } from "../../../core/objects/read-tree.ts";
import type { Store } from "../../../core/store/contract.ts";
import type { FileVersion } from "../snapshot/snapshot-file.ts";

/** A stored file's bytes, each piece checked against its name. */
export async function contentOf(store: Store, version: FileVersion): Promise<Buffer> {
  return (await contentsOf(store, [version])).get(version) as Buffer;
}

/** The same for many, in one read. */
export async function contentsOf(
  store: Store,
  versions: readonly FileVersion[],
): Promise<Map<FileVersion, Buffer>> {
  const ids = [...new Set(versions.flatMap(({ pieces }) => pieces))];
  const found = await readChecked(ids, (wanted) => store.readObjects(wanted));
  return new Map(
    versions.map((version) => {
      const content = Buffer.concat(version.pieces.map((id) => rawContent(found.get(id) as Uint8Array)));
      if (content.length !== version.size)
        throw new Error(`A file of ${version.size} bytes has ${content.length} in the store.`);
      return [version, content];
    }),
  );
}
