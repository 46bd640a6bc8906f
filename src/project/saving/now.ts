import { applySeen, startLooking } from "../../capture/look.ts";
import type { Cairn } from "../../checkpoints/cairn.ts";
import { readAt } from "../../checkpoints/diff/read-at.ts";
import { type CheckpointInfo, readCheckpoint } from "../../checkpoints/document.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import type { Json } from "../../objects/json.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import { readChecked } from "../../objects/read-tree.ts";
import { trailToWrite } from "../choose-trail.ts";
import { commitWork } from "../commit-work.ts";
import type { Project } from "../project.ts";
import { settingsOf } from "../settings-of.ts";

export interface NowInput {
  readonly trail?: string | undefined;
  readonly notes?: string | undefined;
  readonly variables?: Readonly<Record<string, Json>> | undefined;
  /** Save nothing if the last checkpoint already says it all: for callers that save repeatedly. */
  readonly onlyNews?: boolean | undefined;
  readonly trigger?: string | undefined;
}

export interface NowResult {
  /** Null if `onlyNews` found none. */
  readonly checkpoint: CheckpointInfo | null;
  readonly state: WorkState;
}

/** Saves a checkpoint of where the work stands, with what git, the plan and the declared services say now. */
export async function now(project: Project, input: NowInput): Promise<NowResult> {
  const { notes, variables = {}, onlyNews = false, trigger = "manual" } = input;
  const trail = trailToWrite(project, input.trail);
  // Git takes the longest, so it is started first: it works on another core while the store is opened.
  const looking = startLooking(project, (text) => project.notices.warning(text));
  const settings = await settingsOf(project);
  const cairn = await project.stores.open(project, "create");
  const seen = await looking.finish(settings, await lastWorkspace(cairn, trail));
  return commitWork(project, {
    trail,
    trigger,
    notes,
    fresh: { ...seen, variables: { ...variables } },
    ifChanged: onlyNews,
    change: (draft, fresh) => {
      const before = onlyNews ? structuredClone(draft) : undefined;
      applySeen(draft, fresh, project.now());
      // A service that answers a little slower is not news.
      return before !== undefined && withoutTimes(draft) === withoutTimes(before) ? before : draft;
    },
  });
}

/** Where the workspace stood at the last checkpoint. Only that is read here; the commit reads the rest. */
async function lastWorkspace({ store }: Cairn, trail: string): Promise<WorkState["workspace"]> {
  const read = (ids: readonly ObjectId[]) => store.readObjects(ids);
  const id = await store.head(trail);
  const bytes = id && (await readChecked([id], read)).get(id);
  if (!id || !bytes) return undefined;
  const { root } = readCheckpoint(id, bytes);
  return (await readAt(root, ["workspace"], read)) as unknown as WorkState["workspace"];
}

function withoutTimes({ dependencies, ...state }: WorkState): string {
  const lasting = (dependencies ?? []).map(
    ({ last_checked: _checked, latency_ms: _latency, ...rest }) => rest,
  );
  return JSON.stringify({ ...state, dependencies: lasting });
}
