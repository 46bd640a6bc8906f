import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandsPage } from "../../scripts/commands-page.ts";
import { publishedSchemas, schemaText } from "../../scripts/schemas/publish.ts";
import type { OptionSpec } from "../../src/work/verbs/field.ts";
import { optionName } from "../../src/doors/command/table.ts";
import { COMMANDS } from "../../src/doors/command/table.ts";
import { GOVERNANCE } from "../../src/capabilities/governance/verbs.ts";
import { GLOBAL } from "../../src/work/verbs/command-words.ts";
import { WORKFLOW_SCHEMA } from "../../src/capabilities/workflow/definition/check-source.ts";
import { findCommand } from "../../src/doors/command/parse.ts";
import { VERBS } from "../doors/verbs.ts";
import { Sandbox } from "./support/sandbox.ts";
import { violations } from "./support/validate.ts";

/** What people write, beside what the commands print. */
const WORKFLOW_FILE = "workflow.schema.json";

const root = join(import.meta.dirname, "../..");

// After a change: npx vitest run tests/cli/reference.test.ts -u
describe("what is generated from the table", () => {
  it("docs/reference/commands.md is up to date", async () => {
    await expect(commandsPage()).toMatchFileSnapshot(join(root, "docs/reference/commands.md"));
  });

  it("schemas/*.json are up to date, one for each command", async () => {
    const schemas = publishedSchemas();
    for (const [name, schema] of schemas) {
      await expect(schemaText(schema)).toMatchFileSnapshot(join(root, "schemas", name));
    }
    const names = [...schemas.keys(), WORKFLOW_FILE].toSorted();
    expect(readdirSync(join(root, "schemas")).toSorted()).toEqual(names);
  });

  it("the schema of workflow files is up to date", async () => {
    await expect(schemaText(WORKFLOW_SCHEMA)).toMatchFileSnapshot(join(root, "schemas", WORKFLOW_FILE));
  });

  it("an option means the same number of values in every command, so it can stand before the command", () => {
    const kinds = new Map<string, Set<string>>();
    for (const { options = {} } of Object.values(COMMANDS) as { options?: Record<string, OptionSpec> }[]) {
      const all: Record<string, OptionSpec> = { ...options, ...GLOBAL };
      for (const [key, { kind }] of Object.entries(all)) {
        const values = kind === "flag" ? "none" : kind === "pairs" ? "two" : "one";
        kinds.set(optionName(key), (kinds.get(optionName(key)) ?? new Set()).add(values));
      }
    }
    expect([...kinds].filter(([, values]) => values.size > 1)).toEqual([]);
  });
});

describe("the published schemas", () => {
  it("describe what every command prints", () => {
    const box = new Sandbox();
    const schemas = publishedSchemas();
    const seen = new Set<string>();
    const check = (args: readonly string[]) => {
      const { stdout, stderr } = box.run([...args, "--json"]);
      // Most print one document; those that run something print one for everything that happens.
      const documents = (stdout || stderr).trimEnd().split("\n").map(parse);
      for (const document of documents) {
        const name = /^cairn\/(.*)@1$/.exec(document.schema)?.[1] ?? "";
        seen.add(`${name}.json`);
        const schema = schemas.get(`${name}.json`);
        const wrong = violations(document, schema ?? false);
        expect({ args, wrong }).toEqual({ args, wrong: [] });
      }
      return documents.at(-1) as Record<string, unknown>;
    };
    try {
      box.git("init", "-q");
      box.write("w.yaml", "name: w\nsteps:\n  - id: a\n    run: 'true'\n  - id: b\n    approve: Go on?\n");
      for (const line of WALK) check(line);
      const id = (check(["list"])["checkpoints"] as { checkpoint_id: string }[])[0]!.checkpoint_id;
      const rest = [
        ["restore", id],
        ["fork", id, "--as", "other"],
        ["load", id],
        ["prune", "--keep", "3"],
        ["import", "main.cairn", "--as", "copy"],
        ["store", "status"],
        ["store", "salvage"],
      ];
      for (const line of rest) check(line);
      check(["search", "SQLite"]);
      check(["events", "ack", String(check(["events"])["cursor"]), "--as", "bot"]);
      walkRemotes(box, check);
      const elsewhere = new Set([...ELSEWHERE, "cairn-policy.json", ...governanceFiles, ...doorFiles]);
      expect([...schemas.keys()].filter((name) => !seen.has(name) && !elsewhere.has(name))).toEqual([]);
    } finally {
      box.remove();
    }
    // Some fifty commands, one after the other.
  });
});

/** The commands that need places outside the project. */
function walkRemotes(box: Sandbox, check: (args: readonly string[]) => Record<string, unknown>): void {
  const url = `file://${box.home}/share`;
  for (const folder of ["cloned", "restored", "mirrored"]) box.write(`../${folder}/.keep`, "");
  check(["remote", "add", "disk", url, "--encrypt"]);
  for (const line of [["push"], ["pull"], ["sync"], ["remote", "list"], ["backup", "all.backup"]])
    check(line);
  box.write("cairn.key", String(check(["key", "export"])["key"]));
  check(["key", "import", "cairn.key"]);
  check(["clone", url, "-C", `${box.home}/cloned`]);
  check(["backup", "restore", `${box.folder}/all.backup`, "-C", `${box.home}/restored`]);
  check(["remote", "show", "main"]);
  check(["mirror"]);
  const [{ name = "" } = {}] = check(["mirror", "list"])["mirrors"] as { name?: string }[];
  check(["mirror", "restore", name, "-C", `${box.home}/mirrored`]);
  check(["remote", "remove", "disk"]);
}

/** The door test checks these: see tests/doors/verbs.test.ts. */
const doorFiles = Object.values(VERBS).map(
  ({ command = [] }) => `${findCommand(command)?.name.replaceAll(" ", "-")}.json`,
);

/** Tests of governance check these: see tests/governance/schemas.test.ts. */
const governanceFiles = Object.keys(GOVERNANCE).map((name) => `${name.replaceAll(" ", "-")}.json`);

/**
 * `watch` and `ui` go on until they are ended: tests/web/refusals.test.ts checks the latter. `chaos` takes long:
 * tests/chaos/command.test.ts checks it. The others need a server or a second store: tests/postgres runs them.
 */
const ELSEWHERE = [
  "chaos.json",
  "schedule-run.json",
  "watch.json",
  "ui.json",
  "worker.json",
  "store-migrate.json",
  "store-copy.json",
];

const parse = (line: string) => JSON.parse(line) as Record<string, unknown> & { schema: string };

/** Every command once, in an order in which each has something to do. */
const WALK: readonly (readonly string[])[] = [
  ["--version"],
  ["status"],
  ["init", "--config"],
  ["now", "--notes", "begin", "--var", "a", "1"],
  ["goal", "Ship it", "--done-when", "It works"],
  ["goal"],
  ["next", "Write a test"],
  ["constraint", "No new dependencies"],
  ["decide", "Use SQLite", "--why", "It is there"],
  ["constraint", "list"],
  ["constraint", "edit", "1", "Few new dependencies"],
  ["constraint", "remove", "few"],
  ["decision", "list"],
  ["decision", "edit", "1", "Use SQLite 3"],
  ["decision", "remove", "1"],
  ["decide", "Use SQLite", "--trail", "aside"],
  ["promote", "decision", "1", "--trail", "aside"],
  ["block", "No access"],
  ["unblock", "1"],
  ["phase", "start", "Build", "--number", "2"],
  ["task", "add", "One"],
  ["task", "add", "Two", "--blocked-by", "1"],
  ["task", "start", "1"],
  ["task", "block", "1", "--why", "later"],
  ["task", "done", "1", "--evidence", "seen"],
  ["task", "done", "1"],
  ["task", "rename", "2", "Second"],
  ["task", "cancel", "2"],
  ["task", "list", "--all"],
  ["phase", "complete", "--output", "out.md"],
  ["phase", "start", "Ship"],
  ["phase", "fail", "--why", "no"],
  ["output", "add", "evidence", "evd-1", "--action", "terraform"],
  ["set", "region", "eu"],
  ["unset", "region"],
  ["set", "limits", "--parse", '{"cpu": 2}'],
  ["undo"],
  ["tag", "here"],
  ["tag"],
  ["tag", "here", "--delete"],
  ["fork", "--as", "trial"],
  ["trails"],
  ["trails", "rename", "trial", "try"],
  ["trails", "delete", "try", "--yes"],
  ["list", "--since", "7d", "--trigger", "task"],
  ["status"],
  ["load"],
  ["diff"],
  ["log", "--graph"],
  ["log"],
  ["summary"],
  ["set", "agent", "here", "--trail", "session/s-1"],
  ["sessions"],
  ["sessions", "show", "s-1"],
  ["verify"],
  ["export", "--output", "one.json"],
  ["import", "one.json"],
  ["export", "--history", "--output", "main.cairn"],
  ["run", "w.yaml", "--dry-run"],
  ["run", "w.yaml", "--run-id", "w-1"],
  ["status"],
  ["resume", "--list"],
  ["resume", "w-1", "--dry-run"],
  ["reject", "w-1", "--reason", "no"],
  ["resume", "w-1"],
  ["approve", "w-1"],
  ["cancel", "w-1"],
  ["runs"],
  ["runs", "show", "w-1"],
  ["runs", "logs", "w-1"],
  ["runs", "watch", "w-1"],
  ["artifacts", "add", "w-1", "w.yaml"],
  ["artifacts", "w-1"],
  ["archive", "w-1"],
  ["clean", "--dry-run"],
  ["templates"],
  ["progress", "note", "--feature", "login", "--agent", "tester", "Wrote a test"],
  ["progress", "scan"],
  ["doctor"],
  ["config"],
  ["completion", "bash"],
  ["completion", "words", "runs"],
  ["help", "now"],
  ["prune", "--help"],
  ["--help"],
  ["list", "--all"],
];
