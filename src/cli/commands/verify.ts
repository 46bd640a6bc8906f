import { EXIT_STATUS } from "../../errors.ts";
import type { Context } from "../context.ts";
import { findProject, openStore } from "../open.ts";
import type { Output } from "../output.ts";
import { count } from "../view/words.ts";

/** Check every byte against its hash */
export async function verify(context: Context, _options: object, output: Output): Promise<number> {
  const cairn = await openStore(context, findProject(context));
  const report = await cairn.verify({
    onProgress: (done, total) => output.progress(`Checked ${done} of ${total} objects`),
  });
  output.progress("");
  const { objects, checkpoints, trails, damage } = report;
  const checked = `${count(checkpoints, "checkpoint")} in ${count(trails, "trail")}, ${count(objects, "object")}`;
  if (damage.length > 0)
    output.message("Everything else still loads. checkpoint list --all shows what there is.");
  output.result({ ok: damage.length === 0, objects, checkpoints, trails, damage }, () => {
    if (damage.length === 0) return `Everything is as it was written: ${checked}.`;
    const lines = damage.map(({ what, costs }) => {
      const lost = costs.length === 0 ? "" : `\n    costs ${costs.map((id) => id.slice(0, 16)).join(", ")}`;
      return `  ${output.style.red(what)}${lost}`;
    });
    return [`${count(damage.length, "part is", "parts are")} damaged, of ${checked}:`, ...lines].join("\n");
  });
  return damage.length === 0 ? 0 : EXIT_STATUS.corrupt;
}
