import { EXIT_STATUS, type ErrorCode } from "../src/core/errors.ts";
import { optionRow, usageLine } from "../src/doors/command/help.ts";
import { EXIT_WORDS, VARIABLE_WORDS } from "../src/doors/command/help-topics.ts";
import { type CommandSpec, GROUPS } from "../src/work/verbs/spec.ts";
import { SPECS } from "../src/doors/command/table.ts";
import { GLOBAL } from "../src/work/verbs/command-words.ts";

/** docs/reference/commands.md, from the table that also parses what is typed. */
export function commandsPage(): string {
  const groups = Object.entries(GROUPS).map(([group, title]) => {
    const specs = SPECS.filter((spec) => spec.group === group);
    return `## ${title}\n\n${specs.map(section).join("\n\n")}`;
  });
  const parts = [
    "# Commands",
    "<!-- Generated from the entries of the verbs by tests/cli/reference.test.ts. Edit the entry, then: npx vitest run tests/cli/reference.test.ts -u -->",
    "Everything that `checkpoint` does. `checkpoint <command> --help` prints the same.",
    contents(),
    ...groups,
    `## Options of every command\n\n${options(Object.entries(GLOBAL).map(optionRow))}`,
    `## Exit statuses\n\n${exitStatuses()}`,
    `## Environment\n\n${rows(
      ["variable", "what it does"],
      VARIABLE_WORDS.map(([name, words]) => [`\`${name}\``, words]),
    )}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

function contents(): string {
  const lines = SPECS.map(({ name, about }) => [
    `[\`${name}\`](#checkpoint-${name.replaceAll(" ", "-")})`,
    about,
  ]);
  return rows(["command", "what it does"], lines);
}

function section(spec: CommandSpec): string {
  const examples = spec.examples
    .map(([command, why]) => (why === "" ? command : `${command}  # ${why}`))
    .join("\n");
  const list = Object.values(spec.arguments ?? {}).map(({ value, about }) => [value, about] as const);
  const own = [...list, ...Object.entries(spec.options ?? {}).map(optionRow)];
  return [
    `### checkpoint ${spec.name}`,
    `${spec.about}.`,
    `\`\`\`sh\n${examples}\n\`\`\``,
    `Usage: \`${usageLine(spec)}\``,
    ...(own.length > 0 ? [options(own)] : []),
    ...(spec.details === undefined ? [] : [spec.details.replaceAll("\n", " ")]),
  ].join("\n\n");
}

function options(list: readonly (readonly [string, string])[]): string {
  return rows(
    ["option", "what it does"],
    list.map(([name, about]) => [`\`${name}\``, about]),
  );
}

function exitStatuses(): string {
  const list = Object.entries(EXIT_STATUS).map(([code, status]) => [
    String(status),
    EXIT_WORDS[code as ErrorCode],
  ]);
  return rows(["status", "meaning"], [["0", "ok"], ...list]);
}

function rows(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}
