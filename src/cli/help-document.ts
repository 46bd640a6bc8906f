import { commandHelp, overview, usageLine } from "./help.ts";
import { type CommandSpec, GROUPS, type OptionSpec } from "./spec.ts";
import { styleFor } from "./output.ts";
import { type CommandName, optionName, optionValue, SPECS, specOf } from "./table.ts";
import { GLOBAL } from "./table/shared.ts";

/** Neither colours nor the width of a terminal mean anything to a program. */
const PLAIN = { style: styleFor(false), columns: undefined };

/** The help of a command for programs: the table that parses it, as data, and the text that people see. */
export function commandDocument(name: CommandName): object {
  return { topic: name, text: commandHelp(name, PLAIN), command: described(specOf(name)), commands: null };
}

/** The overview for programs: all commands. */
export function overviewDocument(): object {
  const commands = SPECS.map(({ name, group, about }) => ({ name, group: GROUPS[group], about }));
  return { topic: null, text: overview(PLAIN), command: null, commands };
}

function described(spec: CommandSpec): object {
  const { name, group, about, examples, arguments: list = {}, options = {}, details = null } = spec;
  return {
    name,
    group: GROUPS[group],
    about,
    usage: usageLine(spec),
    examples: examples.map(([command, why]) => ({ command, why })),
    arguments: Object.values(list).map(({ kind, value, about: what, ...more }) => ({
      name: value,
      kind,
      about: what,
      choices: "choices" in more ? more.choices : null,
    })),
    options: Object.entries(options).map(option),
    global_options: Object.entries(GLOBAL).map(option),
    details,
  };
}

function option([key, spec]: [string, OptionSpec]): object {
  return {
    name: optionName(key),
    short: "short" in spec ? (spec.short ?? null) : null,
    kind: spec.kind,
    value: spec.kind === "flag" ? null : optionValue(spec),
    about: spec.about,
    choices: spec.kind === "choice" ? spec.choices : null,
    minimum: spec.kind === "number" ? spec.minimum : null,
  };
}
