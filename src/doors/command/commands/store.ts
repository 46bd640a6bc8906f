import { resolve } from "node:path";
import { EXIT_STATUS } from "../../../core/errors.ts";
import { type LostPart, storeSalvage as salvage } from "../../../work/project/maintenance/salvage.ts";
import type { CommandOf } from "../command.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { count } from "../../../work/state/words.ts";

export const storeSalvage: CommandOf<"store salvage"> = async (context, { to }, output) => {
  const salvaged = await salvage(context.project, {
    to: to === undefined ? undefined : resolve(context.cwd, to),
    onProgress: (done, all) => output.progress(`Copied ${done} of ${count(all, "checkpoint")}`),
  });
  const { folder, trails, checkpoints, lost } = salvaged;
  const lines = [
    `Copied ${count(checkpoints, "checkpoint")} in ${count(trails, "trail")} into ${oneLine(folder)}, and verified them.`,
    ...(lost.length === 0 ? ["Nothing else was found in the store."] : ["Lost:", ...lost.map(lostLine)]),
  ];
  output.result({ ...salvaged }, lines.join("\n"));
  output.message(
    "The damaged store was not changed. To use the new one, move .cairn away and this folder to its place.",
  );
  return lost.length > 0 ? EXIT_STATUS.corrupt : 0;
};

const lostLine = ({ what, name, trail, why }: LostPart) =>
  `  ${what} ${oneLine(name)}${trail === null || trail === name ? "" : ` of ${oneLine(trail)}`}: ${oneLine(why)}`;
