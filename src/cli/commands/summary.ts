import * as verbs from "../../project/looking/summary.ts";
import type { CommandOf } from "../command.ts";

export const summary: CommandOf<"summary"> = async (context, options, output) => {
  const { plain, ...input } = options;
  const result = await verbs.summary(context.project, { ...input, format: plain ? "plain" : "markdown" });
  output.result(result, result.text.trimEnd());
};
