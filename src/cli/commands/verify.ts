import { EXIT_STATUS } from "../../errors.ts";
import * as verbs from "../../project/keeping/verify.ts";
import type { CommandOf } from "../command.ts";
import type { KEEPING } from "../table/keeping.ts";
import { count } from "../view/words.ts";

/** Check every byte against its hash */
export const verify: CommandOf<typeof KEEPING.verify> = async (context, _options, output) => {
  const { objects, checkpoints, trails, damage, names } = await verbs.verify(context.project, {
    onProgress: (done, total) => output.progress(`Checked ${done} of ${total} objects`),
  });
  output.progress("");
  const isWhole = damage.length === 0;
  const checked = `${count(checkpoints, "checkpoint")} in ${count(trails, "trail")}, ${count(objects, "object")}`;
  if (!isWhole) output.message("Everything else still loads. checkpoint list --all shows what there is.");
  output.result({ ok: isWhole, objects, checkpoints, trails, damage }, () => {
    if (isWhole) return `Everything is as it was written: ${checked}.`;
    const lines = damage.map(({ what, costs }) => {
      const lost = costs.map((id) => names.get(id) ?? id.slice(0, 16)).join(", ");
      return `  ${output.style.red(what)}${lost === "" ? "" : `\n    costs ${lost}`}`;
    });
    return [`${count(damage.length, "part is", "parts are")} damaged, of ${checked}:`, ...lines].join("\n");
  });
  return isWhole ? 0 : EXIT_STATUS.corrupt;
};
