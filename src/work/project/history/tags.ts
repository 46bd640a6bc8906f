import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { infoOrDamage } from "../../../core/trails/document.ts";
import { findCheckpoint, findStored } from "../../../core/trails/find-checkpoint.ts";
import { deleteTag, listTags, parseTagName, setTag } from "../../../core/trails/tags.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Store } from "../../../core/store/contract.ts";
import { readTrail } from "../choose-trail.ts";
import { hasStore } from "../find-project.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { HISTORY } from "./verbs.ts";

export interface TaggedCheckpoint {
  readonly name: string;
  readonly checkpoint: CheckpointInfo;
}

/** Names a checkpoint, which is then kept from pruning. */
export async function tag(project: Project, { name, id, trail: named }: InputOf<(typeof HISTORY)["tag"]>) {
  parseTagName(name);
  const { trail } = await readTrail(project, named, id);
  const { store } = await project.stores.open(project, "write", "history.tag");
  const { info } = await findCheckpoint(store, trail.name, id);
  const before = await setTag(store, name, await findStored(store, info.content_hash));
  const isMoved = before !== undefined && before !== info.content_hash;
  const moved_from = isMoved ? (await tagged(store, name, before)).checkpoint.checkpoint_id : null;
  return { name, checkpoint: info, moved_from };
}

/** Takes a name off its checkpoint, which stays until it is pruned. */
export async function untag(
  project: Project,
  { name }: Pick<InputOf<(typeof HISTORY)["tag"]>, "name">,
): Promise<TaggedCheckpoint> {
  const { store } = await project.stores.open(project, "write", "history.tag");
  const known = await listTags(store);
  const id = await deleteTag(store, name);
  if (id !== undefined) return tagged(store, name, id);
  throw new CheckpointError("not-found", `There is no tag "${name}".`, {
    hint: "checkpoint tag",
    details: { typed: name, known: known.map((each) => each.name) },
  });
}

/** All tags, the one that was set last first. */
export async function tags(project: Project): Promise<TaggedCheckpoint[]> {
  if (!hasStore(project)) return [];
  const { store } = await project.stores.open(project, "read");
  const found: TaggedCheckpoint[] = [];
  for (const { name, id } of await listTags(store)) found.push(await tagged(store, name, id));
  return found;
}

async function tagged(store: Store, name: string, id: ObjectId): Promise<TaggedCheckpoint> {
  return { name, checkpoint: infoOrDamage(await findStored(store, id)) };
}
