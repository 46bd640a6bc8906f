import type { AgentClient, SeenRow } from "../src/work/clients/client.ts";
import { CLIENTS } from "../src/work/clients/clients.ts";

const ALL: readonly AgentClient[] = Object.values(CLIENTS);

/** What is set up without a description of its own. */
const OTHERS = [
  ["others that speak MCP", "MCP tools, which the agent calls by itself", "a snippet, below", "no"],
  [
    "others that read AGENTS.md",
    "a few lines that ask the agent to save",
    "`checkpoint init --client agents-md`, with `checkpoint watch` running beside it",
    "no",
  ],
];

/** What was looked at with the real clients. */
const SEEN_ROWS: Readonly<Record<SeenRow, string>> = {
  killed:
    "killed (`kill -9`) in the middle of a turn; the next session is told the request, what the agent said and did, and what it was about to do",
  continued: "the same, continued by another kind of client",
  running: "the command that was running then",
  confirmed: "prompts confirmed as a person's by",
  resumed: "resumed",
  resumedOften: "resumed four times",
  compacted: "compacted",
  ruled: "a rule that a person types between two prompts of one process",
  ruledBefore: "the same, when it is resumed, and in a new session",
  checked: "a check that fails without a word, and then passes",
  settings: "its own settings, before ours and after `--remove`",
};

const TABLES: Readonly<Record<string, () => string>> = { clients, seen, hears };

/** docs/reference/clients.md with its tables from the descriptions of the clients. Each stands between two marks. */
export function clientsPage(page: string): string {
  return Object.entries(TABLES).reduce((text, [name, table]) => {
    const [before, rest, ...more] = text.split(`<!-- table ${name}:`);
    const [mark, after] = [rest?.split("\n", 1)[0], rest?.split("<!-- end of the table -->")];
    if (mark === undefined || after === undefined || after.length < 2 || more.length > 0)
      throw new Error(`docs/reference/clients.md should have the marks of the table "${name}" once.`);
    const end = after.slice(1).join("<!-- end of the table -->");
    return `${before}<!-- table ${name}:${mark}\n\n${table()}\n\n<!-- end of the table -->${end}`;
  }, page);
}

function clients(): string {
  const described = ALL.map(({ product, page }) => [product, page.gets, page.setUpBy, page.tested]);
  return rows(["client", "gets", "set up by", "tested with the real client"], [...described, ...OTHERS]);
}

function seen(): string {
  const tested = ALL.flatMap(({ product, page }) => (page.seen ? [{ product, ...page.seen }] : []));
  const head = tested.map(({ product, version }) => `${product} ${version}`);
  const body = Object.entries(SEEN_ROWS).map(([name, words]) => [
    words,
    ...tested.map((client) => client.rows[name as SeenRow]),
  ]);
  return rows(["", ...head], body);
}

function hears(): string {
  const body = ALL.map(({ product, page }) => [product, ...page.hears]);
  return rows(["client", "with the next prompt", "otherwise"], body);
}

function rows(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}
