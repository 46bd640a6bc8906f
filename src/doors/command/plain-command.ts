import { type CommandSpec, verbName } from "../../work/verbs/spec.ts";
import type { CommandFunction } from "../../work/terminal/command.ts";
import type { Project } from "../../work/project/project.ts";

type Verb = (project: Project, input: object) => Promise<object>;

/** The command of a verb that needs nothing else: what was typed is its input, and the entry says its result in words. */
export function plainCommand(spec: CommandSpec): CommandFunction<object> {
  const { key, run, show } = spec;
  return async ({ project }, options, output) => {
    const file = (await run?.()) as Readonly<Record<string, Verb>>;
    const result = await (file[verbName(key, spec)] as Verb)(project, options);
    output.result(result, () => (show as (result: object) => string)(result));
  };
}
