import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anchorLedger, type Anchor } from "../../src/capabilities/governance/ledger/anchor.ts";
import { verifyLedger } from "../../src/capabilities/governance/ledger/verify-ledger.ts";
import { ANY_AUTHORITY } from "../../src/capabilities/governance/state/decrees.ts";
import { entriesAfter, type ChainedEntry } from "../../src/core/store/log-chain.ts";
import { openGovernance } from "../../src/capabilities/governance/project-gate/open-governance.ts";
import { openSqliteStore } from "../../src/core/store/sqlite.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { Governed } from "./support/governed.ts";

const ENTRIES = 10_000;

let box: Governed;
let anchor: Anchor;
let path: string;
let storeId: string;
let rows: ChainedEntry[];

/** A ledger of 10,000 entries that really came through the gate's own code, a hundred in each commit. */
beforeAll(async () => {
  box = new Governed();
  await box.found();
  await verbs.now(box.as("bot"), { notes: "begin" });
  await box.close();
  const governance = await openGovernance(box.as());
  const { ledger } = governance;
  const at = ledger.now().toISOString();
  const batch = Array.from({ length: 100 }, (_, i) => ({
    type: "action" as const,
    at,
    agent: `agent-${i % 7}`,
    tier: 0 as const,
    attested: false,
    action: "save",
  }));
  while (ledger.tail.number < ENTRIES) {
    const left = Math.max(1, Math.min(batch.length, ENTRIES - ledger.tail.number - 1));
    await governance.append(() => batch.slice(0, left));
    await ledger.refresh();
  }
  anchor = await anchorLedger(ledger);
  storeId = ledger.storeId;
  await box.close();
  path = join(box.folder, ".cairn/store.sqlite");
  const db = new DatabaseSync(path);
  rows = db
    .prepare("SELECT number, entry AS text, lower(hex(hash)) AS hash FROM log ORDER BY number")
    .all() as unknown as ChainedEntry[];
  db.close();
});
afterAll(() => box.remove());

async function verify(withAnchor = true) {
  const store = await openSqliteStore({ path });
  try {
    return await verifyLedger(store, { storeId, authority: ANY_AUTHORITY }, withAnchor ? [anchor] : []);
  } finally {
    await store.close();
  }
}

/** Changes the file, checks, and puts back what was there. */
async function tampered(change: (db: DatabaseSync) => void, withAnchor = true) {
  const db = new DatabaseSync(path);
  change(db);
  db.close();
  try {
    return await verify(withAnchor);
  } finally {
    const again = new DatabaseSync(path);
    again.exec("BEGIN; DELETE FROM log");
    const insert = again.prepare("INSERT INTO log(number, entry, hash) VALUES (?, ?, ?)");
    for (const { number, text, hash } of rows) insert.run(number, text, Buffer.from(hash, "hex"));
    again.exec("COMMIT");
    again.close();
  }
}

/** Writes the chain again from an entry on, as somebody can who knows how it is made. */
function rechain(db: DatabaseSync, from: number): void {
  let before = from === 1 ? storeId : (rows[from - 2] as ChainedEntry).hash;
  const changed = db.prepare("SELECT number, entry FROM log WHERE number >= ? ORDER BY number").all(from);
  db.exec("BEGIN");
  for (const { number, entry } of changed as unknown as { number: number; entry: string }[]) {
    before = createHash("sha256").update(`${before}\n${entry}`).digest("hex");
    db.prepare("UPDATE log SET hash = ? WHERE number = ?").run(Buffer.from(before, "hex"), number);
  }
  db.exec("COMMIT");
}

const chain = (changed: readonly (ChainedEntry | undefined)[], first: number) => {
  const found = changed.filter((row) => row !== undefined);
  try {
    entriesAfter(storeId, first - 1, [...rows.slice(Math.max(0, first - 2), first - 1), ...found]);
    return undefined;
  } catch (error) {
    return (error as { details: { entry: number } }).details.entry;
  }
};

describe("a ledger of 10,000 entries", () => {
  it("is whole as it was written, and sealed every hundred entries", async () => {
    const report = await verify();
    expect(report).toMatchObject({ problem: undefined, forged: [] });
    expect(report.entries).toBeGreaterThanOrEqual(ENTRIES);
    expect(report.seals).toBeGreaterThanOrEqual(90);
  });

  it("names the entry after every single edit, deletion, insertion and swap", () => {
    const wrong: unknown[] = [];
    const expectAt = (what: string, found: number | undefined, at: number) => {
      if (found !== at) wrong.push({ what, found, at });
    };
    for (let at = 1; at < rows.length; at++) {
      const [one, next] = [rows[at - 1] as ChainedEntry, rows[at] as ChainedEntry];
      expectAt("edit", chain([{ ...one, text: one.text.replace(/.(?=}$)/, "~") }, next], at), at);
      expectAt("hash", chain([{ ...one, hash: next.hash }, next], at), at);
      expectAt("delete", chain([next], at), at);
      expectAt("insert", chain([one, { ...one, number: at + 1 }, next], at), at + 1);
      const swapped = [
        { ...next, number: at },
        { ...one, number: at + 1 },
      ];
      expectAt("swap", chain(swapped, at), at);
    }
    expect(wrong).toEqual([]);
  });

  /** Each way to change one entry of a file, and the entry that is named then. */
  const changes: Readonly<Record<string, (db: DatabaseSync, at: number) => number>> = {
    "an edit": (db, at) => {
      db.prepare(`UPDATE log SET entry = replace(entry, '"at"', '"aT"') WHERE number = ?`).run(at);
      return at;
    },
    "another hash": (db, at) => {
      db.prepare("UPDATE log SET hash = zeroblob(32) WHERE number = ?").run(at);
      return at;
    },
    "a deletion": (db, at) => {
      db.prepare("DELETE FROM log WHERE number = ?").run(at);
      return at;
    },
    "a deletion, with the numbers closed up": (db, at) => {
      db.prepare("DELETE FROM log WHERE number = ?").run(at);
      db.prepare("UPDATE log SET number = number - 1 WHERE number > ?").run(at);
      return at;
    },
    "an insertion": (db, at) => {
      // Twice, because no two entries have the same number on the way.
      db.prepare("UPDATE log SET number = -number - 1 WHERE number > ?").run(at);
      db.exec("UPDATE log SET number = -number WHERE number < 0");
      db.prepare("INSERT INTO log SELECT number + 1, entry, hash FROM log WHERE number = ?").run(at);
      return at + 1;
    },
    "a swap with the next": (db, at) => swap(db, at, at + 1),
    "a swap with one far away": (db, at) => swap(db, at, ((at + 4_321) % rows.length) + 1),
    "a move to the end": (db, at) => {
      db.prepare("UPDATE log SET number = ? WHERE number = ?").run(rows.length + 1, at);
      return at;
    },
  };
  const swap = (db: DatabaseSync, one: number, other: number) => {
    db.prepare("UPDATE log SET number = 0 WHERE number = ?").run(one);
    db.prepare("UPDATE log SET number = ? WHERE number = ?").run(one, other);
    db.prepare("UPDATE log SET number = ? WHERE number = 0").run(other);
    return Math.min(one, other);
  };

  it.each(Object.entries(changes))("names the entry in the real file after %s", async (_, change) => {
    for (const at of [1, 2, 101, 5_000, rows.length - 1]) {
      let named = 0;
      const { problem } = await tampered((db) => void (named = change(db, at)), false);
      expect({ at, problem }).toMatchObject({ at, problem: { entry: named } });
    }
  });

  it("names the last entry after an edit, and after its deletion by the anchor", async () => {
    const last = rows.length;
    for (const what of ["an edit", "another hash", "a deletion"]) {
      const { problem } = await tampered((db) => void changes[what]?.(db, last));
      expect({ what, problem }).toMatchObject({ what, problem: { entry: last } });
    }
  });

  it.each([0, 1, 99, 100, 5_000, 9_950])(
    "sees that the tail after entry %i was cut only with an anchor, and says so",
    async (kept) => {
      const cut = (db: DatabaseSync) => db.prepare("DELETE FROM log WHERE number > ?").run(kept);
      expect((await tampered(cut)).problem).toMatchObject({
        entry: kept + 1,
        what: expect.stringContaining("cut off"),
      });
      expect((await tampered(cut, false)).problem).toBeUndefined();
    },
  );

  it("sees an edit by somebody who wrote the chain again, by the next seal, and by an anchor", async () => {
    const rewrite = (db: DatabaseSync) => {
      db.prepare(`UPDATE log SET entry = replace(entry, 'agent-', 'angel-') WHERE number = 4242`).run();
      rechain(db, 4242);
    };
    const { problem } = await tampered(rewrite, false);
    expect(problem?.entry).toBeGreaterThan(4242);
    expect(problem?.entry).toBeLessThan(4400);
    expect(problem?.what).toContain("seal");
    expect((await tampered(rewrite)).problem).toBeDefined();
  });
});
