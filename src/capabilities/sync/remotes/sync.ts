import { CheckpointError } from "../../../core/errors.ts";
import { readSetup } from "../setup-document.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import { askGate } from "../../../work/project/gate.ts";
import type { Project } from "../../../work/project/project.ts";
import { openPlace } from "./connect.ts";
import { acceptKey } from "./keys.ts";
import { pull, pullTrails, type PullInput, type TrailProgress } from "./pull.ts";
import { pushTrails } from "./push.ts";
import { keepRemote, refuseName, remotes } from "./remotes.ts";
import { refuseReadable } from "./sealed-places.ts";

/** Brings what a remote has, then what is new here to it. */
export async function sync(project: Project, input: PullInput) {
  const { remote, trails: pulled, failed, dry_run } = await pullTrails(project, input);
  const { trails: pushed, failed: notPushed } = await pushTrails(project, input);
  // What stands in the way of both is told once.
  const more = notPushed.filter(({ trail }) => failed.every((other) => other.trail !== trail));
  return { remote, dry_run, pulled, failed: [...failed, ...more], pushed };
}

export interface CloneInput extends TrailProgress {
  readonly url: string;
  /** What the remote is called here. */
  readonly name?: string | undefined;
  /** Refuses a remote that is not sealed. Nothing else tells a fresh clone that it must be. */
  readonly encrypt?: boolean | undefined;
  readonly unsafeSingleWriter?: boolean | undefined;
}

/** Makes a store here with everything that a remote has. Nothing is written there, and nothing here before it can be read. */
export async function clone(project: Project, input: CloneInput) {
  const { url, name = "origin", encrypt = false, unsafeSingleWriter: single_writer = false } = input;
  const added = await addedBefore(project, { name, url });
  if (added === undefined && (await hasTrails(project)))
    throw new CheckpointError("conflict", "This project already has checkpoints.", {
      hint: `To bring both together: checkpoint remote add ${name} URL, then checkpoint sync`,
      details: { path: project.folder },
    });
  if (added === undefined) await refuseName(project, name);
  const remote = await openPlace(project, url);
  const setup = await readSetup(remote);
  if (setup === undefined)
    throw new CheckpointError("not-found", `There are no checkpoints at ${remote.label}.`, {
      hint: "Check the address. To fill it from another machine: checkpoint remote add origin URL, then checkpoint push",
      details: { url },
    });
  refuseReadable(project, url, { present: setup, encrypt });
  if (added !== undefined) refuseReadable(project, url, { present: { keyId: added.key_id }, encrypt });
  await acceptKey(project, setup);
  await remote.list("heads/");
  await askGate(project, "keep.remote");
  if (added === undefined)
    await keepRemote(project, { name, url, key_id: setup.keyId, single_writer, is_unproven: true });
  return pull(project, { remote: name, onProgress: input.onProgress });
}

async function hasTrails(project: Project): Promise<boolean> {
  if (!hasStore(project)) return false;
  const { store } = await project.stores.open(project, "read");
  return (await store.trails()).length > 0;
}

/** By a clone that was interrupted. */
async function addedBefore(project: Project, { name, url }: { name: string; url: string }) {
  return (await remotes(project)).find((known) => known.name === name && known.url === url);
}
