import { EXIT_STATUS } from "../../../core/errors.ts";
import type { RepairedTrail } from "../../../work/project/maintenance/verify.ts";
import { unfinishedWords } from "../../../work/project/gate.ts";
import * as verbs from "../../../work/project/maintenance/verify.ts";
import type { CommandOf } from "../command.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { count } from "../../../work/state/words.ts";

export const verify: CommandOf<"verify"> = async (context, { repair }, output) => {
  const result = await verbs.verify(context.project, {
    repair,
    onProgress: (done, total) => output.progress(`Checked ${done} of ${total} objects`),
  });
  const { objects, checkpoints, trails, damage, names, damaged_trails, repaired, unfinished, brought } =
    result;
  const unrecorded = result.unrecorded.map(({ checkpoint_id, trail, created_at, agent_id, trigger }) => ({
    checkpoint_id,
    trail,
    created_at,
    agent_id,
    trigger,
  }));
  const isWhole = damage.length === 0;
  const checked = `${count(checkpoints, "checkpoint")} in ${count(trails, "trail")}, ${count(objects, "object")}`;
  for (const each of repaired ?? []) reportRepair(each, output);
  for (const start of unfinished) output.warning(unfinishedWords(start));
  // A repair is done when every trail can go on: no command brings back what is damaged.
  const isUsable = isWhole || (repair && damaged_trails.length === 0);
  const ok = isUsable && unrecorded.length === 0;
  if (!isWhole)
    output.message(
      isUsable
        ? "Every trail is usable again. Damaged checkpoints stay in the history and affect nothing else."
        : "Everything else still loads. checkpoint list --all shows what there is.",
    );
  if (damaged_trails.length > 0 && !repair)
    output.message(
      `Nothing can be saved on ${damaged_trails.join(", ")} before it is repaired: checkpoint verify --repair`,
    );
  for (const { checkpoint_id, trail, created_at } of unrecorded)
    output.warning(`The ledger has no entry for ${checkpoint_id} in ${trail}, saved at ${created_at}.`);
  if (unrecorded.length > 0)
    output.message(
      `${count(unrecorded.length, "checkpoint", "checkpoints")} since governance began were saved without asking the gate. To inspect one: checkpoint load ID`,
    );
  for (const { origin, checkpoints: many } of brought)
    output.message(`${count(many, "checkpoint")} came from ${oneLine(origin)}.`);
  const found = {
    ok,
    objects,
    checkpoints,
    trails,
    damage,
    damaged_trails,
    unfinished,
    repaired,
    unrecorded,
    brought,
  };
  output.result(found, () => {
    if (isWhole) return `Everything is intact: ${checked}.`;
    const lines = damage.map(({ what, costs }) => {
      const lost = costs.map((id) => names.get(id) ?? id.slice(0, 16)).join(", ");
      return `  ${output.style.red(what)}${lost === "" ? "" : `\n    costs ${lost}`}`;
    });
    return [`${count(damage.length, "part is", "parts are")} damaged, of ${checked}:`, ...lines].join("\n");
  });
  return ok ? 0 : EXIT_STATUS.corrupt;
};

function reportRepair({ trail, damaged, whole, checkpoint_id, reason }: RepairedTrail, output: Output): void {
  if (reason === "run")
    return output.warning(
      `${trail} is damaged, and a run that goes back would do its steps again.${whatHelps(trail.slice("run/".length), whole)}`,
    );
  if (reason !== null)
    return output.warning(`No checkpoint of ${trail} can be loaded any more. Start another: --trail NAME`);
  output.message(`${trail} is back at the state of ${whole}, as ${checkpoint_id}.`);
  if (damaged !== null)
    output.message(
      `${damaged} stays in the history. If its bytes come back, from a backup, this reverts the repair: checkpoint restore ${damaged}`,
    );
}

function whatHelps(run: string, whole: string | null): string {
  const resume = `\nTo continue from its newest whole checkpoint, in a new run: checkpoint resume ${run} --from ${whole}`;
  return `${whole === null ? "" : resume}\nTo put it aside: checkpoint archive ${run}`;
}
