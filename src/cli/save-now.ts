import { applySeen, type Looking } from "../capture/look.ts";
import type { Cairn } from "../checkpoints/cairn.ts";
import { readAt } from "../checkpoints/diff/read-at.ts";
import { readCheckpoint } from "../checkpoints/document.ts";
import type { WorkState } from "../checkpoints/work-state.ts";
import { asList, textOf } from "../text/untrusted.ts";
import { oneLine } from "../text/visible.ts";
import type { ObjectId } from "../objects/object-id.ts";
import { readChecked } from "../objects/read-tree.ts";
import { commitWork } from "./commit.ts";
import type { Context } from "./context.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { openToWrite } from "./open.ts";
import type { Output } from "./output.ts";
import type { OptionsOf } from "./spec.ts";
import type { SAVING } from "./table/saving.ts";
import { checkpointDocument } from "./view/checkpoint.ts";
import { progress } from "./view/tasks.ts";
import { count, words } from "./view/words.ts";
import { gitLine } from "./view/work-state.ts";

/** Saves a checkpoint with what is seen meanwhile. */
export async function saveNow(
  context: Context,
  options: OptionsOf<typeof SAVING.now>,
  { looking, output }: { readonly looking: Looking; readonly output: Output },
): Promise<void> {
  const { cairn, trail, settings } = await openToWrite(context, options, output);
  const seen = await looking.finish(settings, await lastWorkspace(cairn, trail.name));
  const { info, state } = await commitWork(
    { context, trail, settings, output },
    {
      fresh: { ...seen, variables: Object.fromEntries(options.var) },
      change: (draft, fresh) => applySeen(draft, fresh, context.now()),
      notes: options.notes,
      agent: options.agent,
      trigger: "manual",
    },
  );
  const tokens = output.json ? await estimateTokens(state) : undefined;
  output.result(checkpointDocument(info, state, tokens), info.checkpoint_id);
  if (!output.json) output.message(sentence(info.trail, state));
  await cairn.close();
}

/** Where the workspace stood at the last checkpoint. Of its state nothing else is read here: the commit will. */
async function lastWorkspace({ store }: Cairn, trail: string): Promise<WorkState["workspace"]> {
  const read = (ids: readonly ObjectId[]) => store.readObjects(ids);
  const id = await store.head(trail);
  const bytes = id && (await readChecked([id], read)).get(id);
  if (!id || !bytes) return undefined;
  return (await readAt(
    readCheckpoint(id, bytes).root,
    ["workspace"],
    read,
  )) as unknown as WorkState["workspace"];
}

/** What was saved, in one line. */
function sentence(trail: string, state: WorkState): string {
  const down = asList(state.dependencies).filter((item) => textOf(item, "status") !== "available");
  const parts = [
    state.phase && phaseWords(state.phase),
    state.tasks.length > 0 && `tasks: ${progress(state.tasks)}`,
    state.workspace &&
      `git: ${gitLine(state.workspace).join("")}, ${count(state.files_touched.length, "file")} touched`,
    ...down.map((item) => oneLine(`${textOf(item, "name")} is ${textOf(item, "status")}`)),
  ].filter(Boolean);
  return `Saved on ${trail}${parts.length > 0 ? `; ${parts.join("; ")}` : ""}.`;
}

function phaseWords(phase: unknown): string {
  const name = textOf(phase, "name") ?? "?";
  return oneLine(
    `${/^phase\b/i.test(name) ? "" : "phase "}${name} (${words(textOf(phase, "status") ?? "?")})`,
  );
}
