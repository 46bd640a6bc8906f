import type { Remark } from "../../checkpoints/work-state.ts";
import { CheckpointError } from "../../errors.ts";
import { textOf } from "../../text/untrusted.ts";
import { oneLine } from "../../text/visible.ts";
import type { Context } from "../context.ts";
import { edit } from "../edit.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Remove a blocker */
export async function unblock(
  context: Context,
  options: OptionsOf<typeof WORK.unblock>,
  output: Output,
): Promise<void> {
  let removed: Remark | undefined;
  const { checkpoint, state } = await edit(context, { ...options, mustExist: true }, output, {
    fresh: {},
    change: (state) => {
      const index = find(state.blockers, options.which);
      [removed] = state.blockers.splice(index, 1);
    },
  });
  const left = state.blockers.length;
  const rest = left === 0 ? "Nothing blocks the work." : `Still blocked by ${left} more.`;
  output.result(
    { checkpoint, removed, left },
    `No longer blocked by: ${oneLine(removed?.text ?? "")}\n${rest}`,
  );
}

function find(blockers: readonly Remark[], which: string): number {
  const number = /^\d+$/.test(which) ? Number(which) : undefined;
  if (number !== undefined && number >= 1 && number <= blockers.length) return number - 1;
  const matches = blockers.flatMap((blocker, index) =>
    (textOf(blocker, "text") ?? "").toLowerCase().includes(which.toLowerCase()) ? [index] : [],
  );
  const [only] = matches;
  if (number === undefined && only !== undefined && matches.length === 1) return only;
  if (number === undefined && matches.length > 1) {
    throw new CheckpointError(
      "usage",
      `"${which}" could be ${matches.length} blockers: ${matches.map((index) => index + 1).join(", ")}.`,
      {
        hint: "Give its number: checkpoint status",
        details: { which },
      },
    );
  }
  const what = number === undefined ? `blocker with "${which}" in it` : `blocker ${number}`;
  throw new CheckpointError("not-found", `There is no ${what}.`, {
    hint: "checkpoint status",
    details: { which },
  });
}
