import { padEnd, widthOf, wrap } from "../../work/terminal/columns.ts";
import type { Output } from "../../work/terminal/output.ts";
import type { OptionSpec } from "../../work/verbs/field.ts";
import { type CommandSpec, GROUPS } from "../../work/verbs/spec.ts";
import { isCommand, optionName, optionValue, SPECS, specOf, subcommandsOf } from "./table.ts";
import { TOPICS } from "./table/setup.ts";
import { GLOBAL } from "../../work/verbs/command-words.ts";
import { commandList } from "../../work/terminal/command-list.ts";

type HelpPage = Pick<Output, "style" | "columns">;

/** How wide a help text is: as the terminal, but never so wide that it is hard to read. */
export function helpWidth({ columns = 80 }: Pick<Output, "columns">): number {
  return Math.min(Math.max(columns, 40), 100);
}

/** The commands of the first screen: those that a person needs in the first week. */
const FIRST = {
  Begin: ["init", "status", "now"],
  "Hand over": ["summary", "sessions", "resume"],
  "Steer every agent": ["goal", "rule", "approve"],
  "Find out, go back": ["search", "explain", "files", "rewind"],
} as const;

/** What `checkpoint` alone prints: where the work stands, and the commands to begin with. */
export function firstScreen(standing: string, page: HelpPage): string {
  const groups = Object.entries(FIRST).map(([title, names]) => {
    // A build without a capability lacks its commands.
    const rows = names
      .filter(isCommand)
      .map((name) => [page.style.cyan(padEnd(name, 8)), specOf(name).about] as const);
    return section(title, rows, page);
  });
  const more = [
    ["checkpoint COMMAND --help", "examples and options of a command"],
    ["checkpoint help --all", "all commands"],
    ["checkpoint ui", "the same in a browser"],
  ] as const;
  const parts = [SLOGAN, standing, groups.join("\n"), examples("More", more, page)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const SLOGAN = "Cairn keeps the work of AI agents safe across context resets, crashes and hand-overs.";

/** All commands by their first words, grouped by what they are for. */
export function overview(page: HelpPage): string {
  const { style } = page;
  const width = Math.max(
    ...Object.keys(GROUPS)
      .flatMap(commandsByWord)
      .map(({ word }) => word.length),
  );
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => {
    const rows = commandsByWord(group).map(
      ({ word, about }) => [style.cyan(padEnd(word, width)), about] as const,
    );
    // A build without a capability lacks its commands.
    return rows.length === 0 ? [] : [section(title, rows, page)];
  });
  const parts = [
    wrap(SLOGAN, helpWidth(page)),
    ...groups,
    wrap(
      `checkpoint COMMAND --help shows examples and options, or what may follow: checkpoint task --help. More: checkpoint help ${TOPICS.join(", ")}.`,
      helpWidth(page),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

const firstWord = (name: string) => name.replace(/ .*/, "");

/** The commands of a group by their first word, because one line for each of them fills several screens. */
function commandsByWord(group: string): { readonly word: string; readonly about: string }[] {
  const specs = SPECS.filter((spec) => spec.group === group);
  return [...new Set(specs.map(({ name }) => firstWord(name)))].map((word) => {
    const family = specs.filter(({ name }) => firstWord(name) === word);
    const [first, ...others] = family as [CommandSpec, ...CommandSpec[]];
    if (others.length === 0) return { word: first.name, about: first.about };
    const seconds = subcommandsOf(word).join(", ");
    return { word, about: first.name === word ? `${first.about}; also ${seconds}` : seconds };
  });
}

/** The help of one command: examples first, because they are what people look for. */
export function commandHelp(name: string, page: HelpPage): string {
  const spec = specOf(name);
  const { style } = page;
  const parts = [
    spec.about,
    examples("Examples", spec.examples, page),
    `${style.bold("Usage")}\n  ${usageLine(spec)}`,
  ];
  const list = Object.values(spec.arguments ?? {}).map(({ value, about }) => [value, about] as const);
  if (list.length > 0) parts.push(section("Arguments", list, page));
  const own = Object.entries(spec.options ?? {}).map(optionRow);
  if (own.length > 0) parts.push(section("Options", own, page));
  parts.push(section("Options of every command", Object.entries(GLOBAL).map(optionRow), page));
  if (spec.details !== undefined) parts.push(wrap(spec.details, helpWidth(page)));
  return `${parts.join("\n\n")}\n`;
}

function examples(title: string, list: CommandSpec["examples"], page: HelpPage): string {
  const commands = list.map(([command, why]) => ({ command, why }));
  return commandList(commands, { ...page, columns: helpWidth(page) }, title);
}

export function usageLine(spec: CommandSpec): string {
  const words = Object.values(spec.arguments ?? {}).map((argument) => {
    if (argument.kind === "choice") return argument.choices.join("|");
    if (argument.kind === "rest") return `[${argument.value}…]`;
    return argument.kind === "required" ? argument.value : `[${argument.value}]`;
  });
  const options = Object.keys(spec.options ?? {}).length > 0 ? ["[options]"] : [];
  return ["checkpoint", spec.name, ...words, ...options].join(" ");
}

/** Longer lists of choices stand with what the option does, where they can be wrapped. */
const LONGEST_CHOICES = 60;

/** An option as people type it, and what it does. */
export function optionRow([key, option]: [string, OptionSpec]): readonly [string, string] {
  const short = "short" in option && option.short !== undefined ? `${option.short}, ` : "";
  const value = optionValue(option);
  if (option.kind === "choice" && value.length > LONGEST_CHOICES)
    return [
      `${short}${optionName(key)} ${key.toUpperCase()}`,
      `${option.about}: ${option.choices.join(", ")}`,
    ];
  return [`${short}${optionName(key)} ${value}`.trimEnd(), option.about];
}

function section(title: string, rows: readonly (readonly [string, string])[], page: HelpPage): string {
  return [page.style.bold(title), definitions(rows, helpWidth(page), "  ")].join("\n");
}

/** Names on the left, what they mean on the right; a name that is too long has a line of its own. */
export function definitions(
  rows: readonly (readonly [string, string])[],
  width: number,
  indent = "",
): string {
  const left = Math.min(26, Math.max(...rows.map(([name]) => widthOf(name))));
  const hanging = indent + " ".repeat(left + 2);
  const lines = rows.map(([name, about]) => {
    const text = wrap(about, width - hanging.length).replaceAll("\n", `\n${hanging}`);
    return widthOf(name) > left
      ? `${indent}${name}\n${hanging}${text}`
      : `${indent}${padEnd(name, left)}  ${text}`;
  });
  return lines.join("\n");
}
