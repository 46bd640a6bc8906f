import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Cairn } from "../../src/work/state/cairn.ts";
import { copyStore } from "../../src/core/trails/transfer/copy-store.ts";
import { lowerAgent } from "../../src/capabilities/governance/gate/agents.ts";
import { Governance } from "../../src/capabilities/governance/gate/governance.ts";
import { anchorLedger, parseAnchor, type Anchor } from "../../src/capabilities/governance/ledger/anchor.ts";
import { exportLedger } from "../../src/capabilities/governance/ledger/export-ledger.ts";
import { Ledger } from "../../src/capabilities/governance/ledger/ledger.ts";
import { queryLedger } from "../../src/capabilities/governance/ledger/query-ledger.ts";
import { verifyLedger } from "../../src/capabilities/governance/ledger/verify-ledger.ts";
import type { LogEntry, Store } from "../../src/core/store/contract.ts";
import { migratePostgresStore, openPostgresStore } from "../../src/capabilities/postgres/store.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();
const TRAILS = ["one", "two", "three"];

describe.skipIf(programs === undefined)("a ledger of several chains", () => {
  let server: TestServer;
  let sql: pg.Client;
  let store: Store;
  let governance: Governance;
  let anchor: Anchor;
  let log: LogEntry[];
  const home = mkdtempSync(join(tmpdir(), "cairn-chains-"));
  const owner = { env: { HOME: home }, userId: process.geteuid?.() };
  const save = (trail: string, agent = trail) => {
    const gate = governance.governed({ claimant: { agent }, question: { action: "save" } });
    return new Cairn(gate, () => new Date()).trail<{ i: number }>(trail, { initial: { i: 0 } });
  };

  beforeAll(async () => {
    server = await startServer(programs as string);
    await migratePostgresStore({ url: server.url, schema: "chains" });
    store = await openPostgresStore({ url: server.url, schema: "chains" });
    governance = new Governance(await Ledger.open(store, { owner, now: () => new Date() }));
    for (let i = 0; i < 50; i++)
      await Promise.all(TRAILS.map((trail) => save(trail).commit((state) => void state.i++)));
    anchor = parseAnchor(JSON.stringify(await anchorLedger(governance.ledger)));
    log = await store.readLog();
    sql = new pg.Client({ connectionString: server.url });
    await sql.connect();
    await sql.query("SET search_path = chains; CREATE TABLE kept AS SELECT * FROM log");
  }, 60_000);
  afterAll(async () => {
    await sql?.end();
    await store?.close();
    await server?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const verify = (anchors: readonly Anchor[] = [anchor]) =>
    verifyLedger(store, governance.ledger.trust, anchors);
  /** Changes the table, checks, and puts back what was there. */
  const tampered = async (change: string, anchors?: readonly Anchor[]) => {
    await sql.query(change);
    try {
      return (await verify(anchors)).problem;
    } finally {
      await sql.query("TRUNCATE log; INSERT INTO log SELECT * FROM kept");
    }
  };
  const at = ({ trail = "", number }: Pick<LogEntry, "trail" | "number">) =>
    `chain = '${trail}' AND number = ${number}`;

  it("is listed from its end on, as the end of the whole list", async () => {
    const hashes = log.map(({ hash }) => hash);
    for (const limit of [0, 1, 3, 30, hashes.length, 1000]) {
      const found = await queryLedger(store, { limit });
      expect(found.map(({ hash }) => hash)).toEqual(hashes.slice(Math.max(0, hashes.length - limit)));
    }
  });

  it("is whole as it was written, sealed over all chains, and covered by the anchor", async () => {
    expect(await verify()).toMatchObject({
      problem: undefined,
      forged: [],
      entries: log.length,
      covered: log.length,
    });
    expect((await verify([])).seals).toBeGreaterThanOrEqual(1);
    for (const trail of TRAILS)
      expect(log.filter((entry) => entry.trail === trail).length).toBeGreaterThan(20);
    expect(anchor.trails?.length).toBe(TRAILS.length);
  });

  it("names the entry after a single edit, deletion or swap", { timeout: 120_000 }, async () => {
    const wrong: unknown[] = [];
    const isLastOf = ({ trail, number }: LogEntry) =>
      !log.some((other) => other.trail === trail && other.number === number + 1);
    // Each takes a while on a real server: every twelfth, and all where a chain begins, is sealed or ends. All entries of a
    // chain in a file are tried in tests/governance/tampering.test.ts.
    const isEdge = (one: LogEntry, index: number) =>
      one.number === 1 ||
      isLastOf(one) ||
      log[index + 1]?.entry["type"] === "seal" ||
      one.entry["type"] === "seal";
    for (const entry of log.filter((one, index) => index % 12 === 0 || isEdge(one, index))) {
      const { number, trail } = entry;
      const named = trail === undefined ? { entry: number } : { entry: number, trail };
      const swap = `UPDATE log SET entry = (SELECT entry FROM kept AS k WHERE k.chain = log.chain AND k.number = ${2 * number + 1} - log.number)
        WHERE chain = '${trail ?? ""}' AND number IN (${number}, ${number + 1})
        AND EXISTS (SELECT FROM kept AS k WHERE k.chain = log.chain AND k.number = ${number + 1} AND k.entry::text <> log.entry::text)`;
      const changes = {
        edit: `UPDATE log SET entry = replace(entry::text, '"at"', '"aT"')::json WHERE ${at(entry)}`,
        hash: `UPDATE log SET hash = reverse(hash) WHERE ${at(entry)}`,
        delete: `DELETE FROM log WHERE ${at(entry)}`,
        swap,
        ...(trail === undefined ? {} : { place: `UPDATE log SET place = place - 1 WHERE ${at(entry)}` }),
      };
      for (const [what, change] of Object.entries(changes)) {
        if (what === "swap" && isLastOf(entry)) continue;
        const problem = await tampered(change);
        if (problem?.entry !== named.entry || problem.trail !== named.trail)
          wrong.push({ what, named, problem });
      }
    }
    expect(wrong).toEqual([]);
  });

  it("sees what was cut off, and a chain that vanished, by the seal or the anchor", async () => {
    const sealed = log.findIndex(({ entry }) => entry["type"] === "seal");
    const before = log.slice(0, sealed).findLast(({ trail }) => trail === "two") as LogEntry;
    const later = `chain = 'two' AND number > ${before.number}`;
    const cut = { entry: before.number, trail: "two" };
    // A chain whose end is gone goes on elsewhere: what comes later is gone too.
    expect(await tampered(`DELETE FROM log WHERE ${later} OR (${at(before)})`, [])).toMatchObject(cut);
    expect(await tampered(`DELETE FROM log WHERE ${later}`, [])).toBeUndefined();
    expect(await tampered(`DELETE FROM log WHERE ${later}`)).toMatchObject({
      entry: before.number + 1,
      trail: "two",
      what: expect.stringContaining("cut off"),
    });
    expect(await tampered("DELETE FROM log WHERE chain = 'two'", [])).toMatchObject({
      entry: 1,
      trail: "two",
    });
    expect(await tampered("UPDATE log SET chain = 'four' WHERE chain = 'two'")).toMatchObject({
      trail: "four",
    });
  });

  /** Appends as somebody does who knows how a chain is made. */
  const appended = (trail: string, after: number, entry: object | null, text = JSON.stringify(entry)) => {
    const start = { number: 0, hash: `${governance.ledger.storeId} ${trail}` };
    const last = log.findLast((one) => one.trail === trail) ?? start;
    const hash = createHash("sha256").update(`${last.hash}\n${after}\n${text}`).digest("hex");
    return `INSERT INTO log(place, chain, number, hash, entry) VALUES (${after}, '${trail}', ${last.number + 1}, '${hash}', '${text}')`;
  };

  it("names an entry that was put in behind a seal", async () => {
    const { number, entry } = log.findLast(({ trail }) => trail === "one") as LogEntry;
    expect(await tampered(appended("one", 2, entry), [])).toMatchObject({ entry: number + 1, trail: "one" });
  });

  it("names an entry that was put in before an anchor, though no seal covers it", async () => {
    const { entry } = log.findLast(({ trail }) => trail === "one") as LogEntry;
    const change = appended("new", anchor.number - 1, entry);
    expect(anchor.number).toBeGreaterThan(
      Number(log.findLast((one) => one.entry["type"] === "seal")?.number),
    );
    expect(await tampered(change, [])).toBeUndefined();
    expect(await tampered(change)).toMatchObject({ entry: 1, trail: "new" });
  });

  it("names what stands where nothing can be, and ends", async () => {
    const { entry } = log.findLast(({ trail }) => trail === "one") as LogEntry;
    // Whoever owns the table can do without its rules.
    await sql.query("ALTER TABLE log DROP CONSTRAINT log_check");
    const missing = { entry: anchor.number + 1, what: expect.stringContaining("missing") };
    expect(await tampered(appended("one", 1_000_000, entry))).toMatchObject(missing);
    expect(await tampered(appended("one", anchor.number, null))).toMatchObject({ trail: "one" });
    const moved = "UPDATE log SET place = 1000000 WHERE chain = '' AND number = 3";
    expect(await tampered(moved)).toMatchObject({ entry: 3 });
  });

  it("grants nothing by entries in a trail's chain, and records who claims it there", async () => {
    const said = { at: new Date().toISOString(), agent: "one" };
    const { number } = log.findLast(({ trail }) => trail === undefined) as LogEntry;
    const claims = [
      { type: "promotion", ...said, from: 1, to: 3, by: "rule" },
      { type: "registration", ...said, token: "0".repeat(64) },
      { type: "seal", ...said, on: { number, hash: "0" }, public_key: "", state: {}, machine: {} },
      { type: "action", ...said, tier: 4, attested: true, action: "infra.x" },
      { type: "action", ...said, agent: "nobody", tier: 0, attested: false, action: "save" },
    ];
    for (const claim of claims) {
      await sql.query(appended("one", number, claim));
      const other = await Ledger.open(store, { owner, now: () => new Date() });
      expect(other.state.forged).toMatchObject([{ trail: "one" }]);
      const { forged, ...state } = other.state;
      const { forged: _forged, ...known } = governance.ledger.state;
      expect([state, forged.length]).toEqual([known, 1]);
      await sql.query("TRUNCATE log; INSERT INTO log SELECT * FROM kept");
    }
  });

  it("is checked by the auditor's script from its export alone", async () => {
    const guide = readFileSync("docs/governance.md", "utf8");
    writeFileSync(join(home, "check-ledger.mjs"), /```js\n(.*?)```/s.exec(guide)?.[1] as string);
    const lines: string[] = [];
    for await (const line of exportLedger(governance.ledger)) lines.push(line);
    expect(lines.length).toBe(log.length + 2);
    const check = (changed: readonly string[]) => {
      writeFileSync(join(home, "ledger.jsonl"), changed.join(""));
      const { status, stdout } = spawnSync(process.execPath, ["check-ledger.mjs", "ledger.jsonl"], {
        cwd: home,
        encoding: "utf8",
      });
      return [status, stdout.trim().split("\n").at(-1)];
    };
    expect(check(lines)).toEqual([0, `whole: ${log.length} entries, 0 forged, authority none`]);
    const at = log.findLastIndex(({ trail }) => trail === "two") + 1;
    const { number } = log[at - 1] as LogEntry;
    expect(check(lines.toSpliced(at, 1))).toEqual([1, expect.stringContaining("the head does not fit")]);
    const moved = (lines[at] as string).replace('"after":', '"after":1');
    expect(check(lines.with(at, moved))).toEqual([1, `entry ${number}: the chain two is broken`]);
    const { entry } = log[at - 1] as LogEntry;
    const odd = ` ${JSON.stringify(entry, null, 2).replace("save", String.raw`s\u0061ve`)}`;
    await sql.query(appended("two", anchor.number, entry, odd));
    expect(await verify()).toMatchObject({ problem: undefined, forged: [] });
    const again: string[] = [];
    const unpinned = await Ledger.open(store, { owner, now: () => new Date(), isUnpinned: true });
    for await (const line of exportLedger(unpinned)) again.push(line);
    expect(check(again)).toEqual([0, `whole: ${log.length + 1} entries, 0 forged, authority none`]);
    await sql.query("TRUNCATE log; INSERT INTO log SELECT * FROM kept");
  });

  it("refuses to go on with a ledger whose trail's chain was cut since this user saw it", async () => {
    await governance.ledger.pinHead();
    const { trail, number } = log.findLast((one) => one.trail !== undefined) as LogEntry;
    await sql.query(`DELETE FROM log WHERE chain = '${trail}' AND number = ${number}`);
    await expect(Ledger.open(store, { owner, now: () => new Date() })).rejects.toMatchObject({
      code: "corrupt",
    });
    await sql.query("TRUNCATE log; INSERT INTO log SELECT * FROM kept");
  });

  it("is copied again after a trail's chain grew before what was copied", async () => {
    await migratePostgresStore({ url: server.url, schema: "copied" });
    const copy = await openPostgresStore({ url: server.url, schema: "copied" });
    await copyStore(store, copy);
    const { length } = await copy.readLog();
    for (let i = 0; i < 2; i++) await save("aa", "two").commit((state) => void state.i++);
    await copyStore(store, copy);
    expect((await copy.readLog()).length).toBeGreaterThanOrEqual(length + 2);
    await copy.close();
  });

  it("lets no action of an agent follow its revocation, however many processes race", async () => {
    const others = await Promise.all(
      Array.from({ length: 4 }, () => openPostgresStore({ url: server.url, schema: "chains" })),
    );
    // Nobody is revoked before each has acted once.
    const begun = others.map(() => Promise.withResolvers<void>());
    const racing = others.map(async (each, who) => {
      const gate = new Governance(await Ledger.open(each, { owner, now: () => new Date() }));
      const own = gate.governed({ claimant: { agent: "one" }, question: { action: "save" } });
      const trail = new Cairn(own, () => new Date()).trail<{ i: number }>(`race-${who}`, {
        initial: { i: 0 },
      });
      let done = 0;
      for (;;) {
        const isRefused = await trail
          .commit((state) => void state.i++)
          .then(
            () => false,
            () => true,
          );
        begun[who]?.resolve();
        await Promise.all(begun.map(({ promise }) => promise));
        if (isRefused) return done;
        if (++done === 8 && who === 0)
          await lowerAgent(
            governance,
            { claimant: {}, question: { action: "agent.revoke" } },
            { agent: "one", reason: "test" },
          );
      }
    });
    expect(Math.min(...(await Promise.all(racing)))).toBeGreaterThan(0);
    const entries = await store.readLog();
    const revoked = entries.findIndex(({ entry }) => entry["type"] === "revocation");
    const acted = entries.findLastIndex(
      ({ entry }) => entry["type"] === "action" && entry["agent"] === "one",
    );
    expect(acted).toBeLessThan(revoked);
    expect((await verify([])).problem).toBeUndefined();
    expect((await verify([])).forged).toEqual([]);
    await Promise.all(others.map((each) => each.close()));
  });

  it("is not called damaged because others append while it is checked", async () => {
    let isFirst = true;
    const readLog: Store["readLog"] = async (page) => {
      const entries = await store.readLog(page);
      if (isFirst) for (let i = 0; i < 120; i++) await save("aaa", "two").commit((state) => void state.i++);
      isFirst = false;
      return entries;
    };
    // One that brings a seal goes into the store's own chain; the next does not.
    for (let i = 0; i < 2 && (i === 0 || (await store.readLog()).at(-1)?.trail !== "two"); i++)
      await save("two").commit((state) => void state.i++);
    const { seals } = await verify([]);
    const report = await verifyLedger({ ...store, readLog }, governance.ledger.trust);
    expect(report.problem).toBeUndefined();
    expect(report.seals).toBeGreaterThan(seals);
  });

  it("refuses connections that would not see a revocation that they waited for", async () => {
    const setting = encodeURIComponent("-c default_transaction_isolation=repeatable\\ read");
    const other = await openPostgresStore({ url: `${server.url}?options=${setting}`, schema: "chains" });
    const gate = new Governance(await Ledger.open(other, { owner, now: () => new Date() }));
    const own = gate.governed({ claimant: { agent: "two" }, question: { action: "save" } });
    const trail = new Cairn(own, () => new Date()).trail<{ i: number }>("two");
    await expect(trail.commit((state) => void state.i++)).rejects.toThrow("default_transaction_isolation");
    await other.close();
  });
});
