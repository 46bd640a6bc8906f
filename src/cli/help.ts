import { padEnd } from "./columns.ts";
import { type CommandSpec, GROUPS, type Group, optionName, type OptionSpec, optionValue } from "./spec.ts";
import type { Style } from "./style.ts";
import { COMMANDS, type CommandName, specOf } from "./table.ts";
import { GLOBAL } from "./table/shared.ts";

const SPECS: readonly CommandSpec[] = Object.values(COMMANDS);

/** What `checkpoint` alone prints: how to begin, and all commands. */
export function overview(style: Style): string {
  const width = Math.max(...SPECS.map(({ name }) => name.length));
  const groups = Object.entries(GROUPS).map(([group, title]) => {
    const lines = SPECS.filter((spec) => spec.group === (group as Group)).map(
      ({ name, about }) => `  ${style.cyan(name.padEnd(width))}  ${about}`,
    );
    return [style.bold(title), ...lines].join("\n");
  });
  const parts = [
    "Keeps the work of AI agents safe across context resets, crashes and hand-overs.",
    [
      style.bold("Begin"),
      example('checkpoint now --notes "Starting task X"', "save where the work stands", 42, style),
      example("checkpoint status", "see where you are and how to go on", 42, style),
      example("checkpoint summary", "a briefing for the next agent", 42, style),
    ].join("\n"),
    ...groups,
    `checkpoint <command> --help shows examples and options. checkpoint help exit-codes, environment\nand format tell more.`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The help of one command: examples first, because they are what people look for. */
export function commandHelp(name: CommandName, style: Style): string {
  const spec = specOf(name);
  const parts = [spec.about, examples(spec, style), `${style.bold("Usage")}\n  ${usageLine(spec)}`];
  const argumentsList = Object.values(spec.arguments ?? {});
  if (argumentsList.length > 0) {
    const rows = argumentsList.map(({ value, about }) => [value, about] as const);
    parts.push(section("Arguments", rows, style));
  }
  const own = Object.entries(spec.options ?? {});
  if (own.length > 0) parts.push(section("Options", own.map(optionRow), style));
  parts.push(section("Options of every command", Object.entries(GLOBAL).map(optionRow), style));
  if (spec.details !== undefined) parts.push(spec.details);
  return `${parts.join("\n\n")}\n`;
}

function examples({ examples }: CommandSpec, style: Style): string {
  const width = Math.min(48, Math.max(...examples.map(([command]) => command.length)));
  return [
    style.bold("Examples"),
    ...examples.map(([command, why]) => example(command, why, width, style)),
  ].join("\n");
}

function example(command: string, why: string, width: number, style: Style): string {
  if (why === "") return `  ${command}`;
  const comment = style.dim(`# ${why}`);
  return command.length > width ? `  ${comment}\n  ${command}` : `  ${command.padEnd(width)}  ${comment}`;
}

export function usageLine(spec: CommandSpec): string {
  const words = Object.values(spec.arguments ?? {}).map((argument) => {
    if (argument.kind === "choice") return argument.choices.join("|");
    if (argument.kind === "rest") return `[${argument.value}…]`;
    return argument.kind === "required" ? argument.value : `[${argument.value}]`;
  });
  return ["checkpoint", spec.name, ...words, Object.keys(spec.options ?? {}).length > 0 ? "[options]" : ""]
    .join(" ")
    .trimEnd();
}

/** An option as people type it, and what it does. */
export function optionRow([key, option]: [string, OptionSpec]): readonly [string, string] {
  const short = "short" in option && option.short !== undefined ? `${option.short}, ` : "";
  const value = option.kind === "choice" ? option.choices.join("|") : optionValue(option);
  return [`${short}${optionName(key)} ${value}`.trimEnd(), option.about];
}

function section(title: string, rows: readonly (readonly [string, string])[], style: Style): string {
  const width = Math.min(26, Math.max(...rows.map(([name]) => name.length)));
  const lines = rows.map(([name, about]) =>
    name.length > width
      ? `  ${name}\n  ${" ".repeat(width)}  ${about}`
      : `  ${padEnd(name, width)}  ${about}`,
  );
  return [style.bold(title), ...lines].join("\n");
}
