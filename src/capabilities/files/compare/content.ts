import { rawContent } from "../../../core/objects/object-format.ts";
import { readChecked } from "../../../core/objects/read-tree.ts";
import type { Store } from "../../../core/store/contract.ts";
import type { FileVersion } from "../snapshot/snapshot-file.ts";

/** A stored file's bytes, each piece checked against its name. */
export async function contentOf(store: Store, { pieces, size }: FileVersion): Promise<Buffer> {
  if (pieces.length === 0) return Buffer.alloc(0);
  const found = await readChecked(pieces, (ids) => store.readObjects(ids));
  const content = Buffer.concat(pieces.map((id) => rawContent(found.get(id) as Uint8Array)));
  if (content.length !== size) throw new Error(`A file of ${size} bytes has ${content.length} in the store.`);
  return content;
}
