import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { publishedSchemas } from "../../scripts/schemas/publish.ts";
import { listEvidence } from "../../src/capabilities/governance/exec/evidence.ts";
import { queryLedger } from "../../src/capabilities/governance/ledger/query-ledger.ts";
import type { LogEntry, Store } from "../../src/core/store/contract.ts";
import * as verbs from "../../src/doors/library/project.ts";
import * as ledger from "../../src/capabilities/governance/verbs/ledger.ts";
import { runCommand } from "../cli/support/sandbox.ts";
import { violations } from "../cli/support/validate.ts";
import { Governed } from "./support/governed.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/governance.md"), "utf8");

let box: Governed;
beforeEach(async () => {
  box = new Governed();
  await box.found();
  await verbs.now(box.as("bot"), { notes: "begin" });
  await box.close();
});
afterEach(() => box.remove());

/** Appends texts as they are, as another program does that knows how the chain is made. */
function append(texts: readonly string[]): void {
  const db = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
  const last = db.prepare("SELECT number, lower(hex(hash)) AS hash FROM log ORDER BY number DESC").get();
  let { number, hash } = last as { number: number; hash: string };
  for (const text of texts) {
    hash = createHash("sha256").update(`${hash}\n${text}`).digest("hex");
    db.prepare("INSERT INTO log(number, entry, hash) VALUES (?, ?, ?)").run(
      ++number,
      text,
      Buffer.from(hash, "hex"),
    );
  }
  db.close();
}

async function exported(): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of await ledger.ledgerExport(box.as())) lines.push(line);
  return lines;
}

function checkedByScript(lines: readonly string[]) {
  writeFileSync(join(box.home, "check-ledger.mjs"), /```js\n(.*?)```/s.exec(guide)?.[1] as string);
  writeFileSync(join(box.home, "ledger.jsonl"), lines.join(""));
  const args = ["check-ledger.mjs", "ledger.jsonl"];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: box.home, encoding: "utf8" });
  return { status, said: stdout.trim().split("\n").at(-1) };
}

const SAID = {
  type: "action",
  at: "2026-02-14T10:30:00.000Z",
  agent: "bot",
  tier: 0,
  attested: false,
  action: "save",
};
const compact = JSON.stringify(SAID);

/** The same entry, in other letters. */
const SPELLINGS: Readonly<Record<string, string>> = {
  "with spaces": compact.replaceAll(",", " , ").replaceAll(":", " : "),
  "on several lines": `${JSON.stringify(SAID, null, "\t")}\r\n`,
  "with its keys in another order": JSON.stringify(Object.fromEntries(Object.entries(SAID).toReversed())),
  "with escapes": compact
    .replace("save", String.raw`s\u0061v\u0065`)
    .replace("agent", String.raw`\u0061gent`),
  "with a key twice": compact.replace('"agent"', '"agent":"other","agent"'),
  "with numbers written out": compact.replace('"tier":0', '"tier":-0.0e+1'),
  "with characters that end a line elsewhere": compact.replace(/}$/, ',"note":"a\u2028b\u0085c\u{1f9ed}"}'),
  "with half a character": compact.replace(/}$/, ',"note":"\\ud83d"}'),
};

describe("the export of a ledger", () => {
  it.each(Object.entries(SPELLINGS))(
    "holds an entry %s as it is stored, so that verify and the script agree",
    async (_, text) => {
      append([text]);
      const { problem, forged, entries } = await ledger.ledgerVerify(box.as(), []);
      expect({ problem, forged }).toEqual({ problem: undefined, forged: [] });
      const lines = await exported();
      expect(JSON.parse(lines.at(-2) as string)).toMatchObject({ text });
      expect(checkedByScript(lines)).toEqual({
        status: 0,
        said: expect.stringMatching(`^whole: ${entries} entries, 0 forged`),
      });
    },
  );

  it("goes on after such entries", async () => {
    append(Object.values(SPELLINGS));
    await verbs.now(box.as("bot"), { notes: "again" });
    await box.close();
    const { problem, forged, entries } = await ledger.ledgerVerify(box.as(), []);
    expect({ problem, forged }).toEqual({ problem: undefined, forged: [] });
    const { status, said } = checkedByScript(await exported());
    expect({ status, said }).toEqual({
      status: 0,
      said: expect.stringMatching(`^whole: ${entries} entries, 0 forged`),
    });
  });
});

/** What anybody who can write to the store can put into the log, correctly chained. */
const UNREADABLE: Readonly<Record<string, string>> = {
  "an empty object": "{}",
  "a list": "[]",
  "an action without an agent": '{"type":"action","at":1}',
  "an unknown type": '{"type":"wish","at":"2026-02-14T10:30:00.000Z","agent":"bot"}',
  "a violation that says nothing": '{"type":"violation","agent":{}}',
  "evidence that says nothing": '{"type":"evidence"}',
  "a policy signed by null": '{"type":"policy","authority":null}',
};

describe("an entry that Cairn cannot read", () => {
  const run = (...args: string[]) => runCommand(args, { cwd: box.folder, env: box.env });

  it.each(Object.entries(UNREADABLE))("is listed as such, and nothing stops at %s", async (_, text) => {
    append([text]);
    const { entries, forged, problem } = await ledger.ledgerVerify(box.as(), []);
    expect({ problem, forged }).toMatchObject({ problem: undefined, forged: [{ number: entries }] });
    expect(checkedByScript(await exported())).toMatchObject({
      status: 0,
      said: expect.stringMatching(`^whole: ${entries} entries`),
    });
    await verbs.now(box.as("bot"), { notes: "again" });
    const report = await verbs.governanceReport(box.as());
    expect(report).toMatchObject({ problem: null, evidence: [] });
    // The gate noted the forgery; what was forged is no violation of anybody.
    expect(report.violations.map(({ rule }) => rule)).toEqual(["forged-entry"]);
    await box.close();
    const { stdout, stderr, status } = run("ledger");
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(stdout).toMatch(
      new RegExp(`^${entries} +Cairn cannot read this entry.*: checkpoint ledger verify$`, "m"),
    );
    expect(run("evidence", "list")).toMatchObject({ stdout: "", status: 0 });
    expect(run("evidence", "verify")).toMatchObject({ status: 0 });
    const document: unknown = JSON.parse(run("ledger", "--json").stdout);
    expect(violations(document, publishedSchemas().get("ledger.json") ?? false)).toEqual([]);
  });

  it.each(['{"type":"seal"}', '{"type":"seal","on":{"number":1,"trails":7},"machine":null}'])(
    "is named by verify and by the script if it is a seal: %s",
    async (text) => {
      append([text]);
      const { problem, entries } = await ledger.ledgerVerify(box.as(), []);
      expect(problem).toMatchObject({ entry: entries });
      expect(checkedByScript(await exported())).toEqual({ status: 1, said: `entry ${entries}: bad seal` });
      expect(run("ledger").stdout).toMatch(new RegExp(`^${entries} +Cairn cannot read`, "m"));
    },
  );

  it("is named by the script if it is not JSON", async () => {
    const lines = await exported();
    const [store, first = "{}"] = lines;
    const line = { ...(JSON.parse(first) as object), text: "{" };
    expect(checkedByScript([store as string, `${JSON.stringify(line)}\n`, ...lines.slice(2)])).toEqual({
      status: 1,
      said: "entry 1: it is not JSON",
    });
  });

  it("is damage, and no bug, to a process that begins with the last seal", async () => {
    const project = box.as("bot");
    for (let i = 0; i < 110; i++) await verbs.now(project, { notes: `step ${i}` });
    await box.close();
    const db = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
    const seal = db.prepare(`SELECT number FROM log WHERE entry ->> 'type' = 'seal'`).get() as {
      number: number;
    };
    db.prepare("DELETE FROM log WHERE number >= ?").run(seal.number);
    db.close();
    append(['{"type":"seal"}']);
    await expect(verbs.now(box.as("bot"), {})).rejects.toMatchObject({ code: "corrupt" });
  });
});

describe("the list of evidence", () => {
  it("has the newest that can be read, whatever was put behind them", async () => {
    const { store } = await box.as().stores.open(box.as(), "read", null);
    append([
      '{"type":"evidence","at":"2026-02-14T10:30:00.000Z","agent":"bot","evidence":"evd-1","action":"exec","digest":"d","success":true}',
      ...Array.from({ length: 20 }, () => '{"type":"evidence"}'),
    ]);
    expect((await listEvidence(store, 20)).map(({ id }) => id)).toEqual(["evd-1"]);
    expect(await listEvidence(store, 0)).toEqual([]);
  });
});

describe("the list of a long ledger", () => {
  it("reads only its end", async () => {
    append(Array.from({ length: 20_000 }, (_, i) => compact.replace("save", `save.${i}`)));
    const { store } = await box.as().stores.open(box.as(), "read", null);
    let read = 0;
    const readLog: typeof store.readLog = async (page) => {
      const entries = await store.readLog(page);
      read += entries.length;
      return entries;
    };
    const counted = { ...store, readLog };
    for (const limit of [0, 1, 2, 50, 999]) {
      read = 0;
      const found = await queryLedger(counted, { limit });
      expect(found.map(({ entry }) => entry["action"])).toEqual(
        Array.from({ length: limit }, (_, i) => `save.${20_000 - limit + i}`),
      );
      expect(read).toBeLessThan(3 * limit + 100);
    }
    expect((await queryLedger(counted, { limit: 30_000 })).length).toBeGreaterThan(20_000);
    const [found] = await queryLedger(counted, { limit: 1, type: "authority" });
    expect(found?.number).toBeLessThan(5);
  });

  it("has what comes before an entry that claims to stand far behind its end", async () => {
    const logged = (number: number, more: Partial<LogEntry> = {}): LogEntry => ({
      number,
      hash: "",
      text: "{}",
      entry: {},
      ...more,
    });
    const all = [
      ...Array.from({ length: 10 }, (_, at) => logged(at + 1)),
      logged(1, { trail: "a", after: 2 ** 31 }),
    ];
    // As in PostgreSQL, where trails have chains of their own.
    const readLog: Store["readLog"] = async ({ after = 0, limit, seen = [] } = {}) => {
      const from = typeof after === "number" ? after : after.number;
      const isSeen = (entry: LogEntry) =>
        seen.some(({ trail, number }) => trail === entry.trail && number >= entry.number);
      return all
        .filter((entry) => (entry.after === undefined ? entry.number > from : entry.after >= from))
        .filter((entry) => !isSeen(entry))
        .slice(0, limit);
    };
    const found = await queryLedger({ readLog } as Store, { limit: 5 });
    expect(found.map(({ number }) => number)).toEqual([7, 8, 9, 10, 1]);
  });
});
