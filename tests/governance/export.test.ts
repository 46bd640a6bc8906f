import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as verbs from "../../src/project/index.ts";
import * as ledger from "../../src/project/governance/ledger.ts";
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
