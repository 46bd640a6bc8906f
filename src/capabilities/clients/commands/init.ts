import { isTooWide } from "../../../work/machine/folders.ts";
import { planSetup } from "../setup/plan-setup.ts";
import type { ClientPlan } from "../setup/planned-change.ts";
import { setupWorld } from "../setup/setup-world.ts";
import { isChange, writeChanges } from "../setup/write-changes.ts";
import type { ClientCommand, ClientOptions } from "../verbs.ts";
import type { Context } from "../../../work/terminal/context.ts";
import { isOnPath } from "../../../work/project/on-path.ts";
import { recordNode } from "../../../work/project/known-node.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import { type Made, makeConfig, makeStore } from "../../../work/project/make-store.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { actionOf, planLines } from "./setup-plan.ts";

type InitOptions = ClientOptions<"init">;

export const init: ClientCommand<"init"> = async (context, options, output) => {
  const project = context.project;
  const world = setupWorld(context.env, project.root);
  // First, because it refuses files that it cannot parse before anything is created.
  const plans = await planSetup(world, options.remove ? "remove" : "add", options.client);
  const isProject = hasStore(project) || !isTooWide(project.root, world.home);
  const store = options.remove || !isProject ? null : await makeStore(project, options);
  const config = options.config && !options.remove ? makeConfig(project, options) : null;
  const isWanted = plans.some(({ changes }) => changes.some(isChange));
  const isDone = isWanted && (await isAgreed(context, options, { output, plans }));
  if (isDone) writeChanges(plans.flatMap(({ changes }) => changes));
  if (!options.remove && !options.dryRun) recordNode(context, context.runtime.executable);
  output.result(
    {
      root: project.root,
      store,
      config,
      clients: plans.map(({ client, name, changes, notes, waitsFor }) => ({
        client,
        name,
        changes: changes.map((change) => ({
          path: change.path,
          action: actionOf(change),
          what: change.what,
          done: isDone && isChange(change),
        })),
        notes: waitsFor === undefined ? notes : [...notes, waitsFor],
      })),
    },
    () =>
      [
        ...(store === null ? [] : [`${store.path}: ${STORE_WORDS[store.made]}`]),
        ...(config === null ? [] : [`${config.path}: ${CONFIG_WORDS[config.made]}`]),
        ...shown(plans, options).flatMap((plan) =>
          planLines(plan, { style: output.style, isDone, isWhole: options.dryRun }),
        ),
      ].join("\n"),
  );
  const { remove, dryRun, client } = options;
  const again = `checkpoint init${remove ? " --remove" : ""}${client === undefined ? "" : ` --client ${client}`} --yes`;
  if (isWanted && !isDone) output.message(`The clients' settings were not changed. To do it: ${again}`);
  for (const { name, notes, waitsFor } of plans) {
    for (const note of notes) output.message(note);
    if (waitsFor !== undefined) output.message(`${name} does not run our hooks yet: ${waitsFor}.`);
  }
  if (remove) {
    if (!isWanted) output.message("There is nothing of ours to remove.");
    else if (isDone) output.message("What was saved stays: the store is in .cairn.");
    return;
  }
  if (!isOnPath(world, "checkpoint"))
    output.warning(
      "checkpoint is not on $PATH, where clients look for it: npm install --global cairn-checkpoint",
    );
  if (!isProject)
    output.message(
      "No store is made here, where all folders below would share it: each project gets its own.",
    );
  else if (!dryRun) output.message(isWanted && !isDone ? START : FROM_NOW_ON);
};

const START = 'Next: checkpoint goal "…", or checkpoint now';
const FROM_NOW_ON = `From now on sessions save themselves, and brief the next one.
To see it: checkpoint, checkpoint sessions, or checkpoint ui.
To take this back: checkpoint init --remove`;

const STORE_WORDS: Readonly<Record<Made, string>> = {
  created: "created; it keeps itself out of git",
  "already there": "already there",
  "would be created": "would be created",
};
const CONFIG_WORDS: Readonly<Record<Made, string>> = {
  created: "created; fill in what you need",
  "already there": "already there, left as it is",
  "would be created": "would be created",
};

/** Clients with nothing to take back are left out, unless one was named. */
function shown(plans: readonly ClientPlan[], { remove, client }: InitOptions): readonly ClientPlan[] {
  if (!remove || client !== undefined) return plans;
  return plans.filter(({ changes, notes }) => notes.length > 0 || changes.some(isChange));
}

/** Settings are changed only with consent. */
async function isAgreed(
  context: Context,
  { yes, dryRun, remove }: InitOptions,
  { output, plans }: { output: Output; plans: readonly ClientPlan[] },
): Promise<boolean> {
  if (dryRun) return false;
  if (yes) return true;
  if (!context.isInteractive || output.json) return false;
  const style = output.messageStyle;
  for (const plan of plans)
    for (const line of planLines(plan, { style, isDone: false, isWhole: false })) output.message(line);
  const { askYesNo } = await import("../../../work/terminal/ask.ts");
  return askYesNo(context, output, remove ? "Remove this?" : "Write this?");
}
