import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cairn, openCairn } from "../../src/work/state/cairn.ts";
import { createRedactor } from "../../src/core/redaction/redactor.ts";
import {
  agentSdkSessionStore,
  type FoldSessionSummary,
  type SessionStoreEntry,
} from "../../src/capabilities/agent-sdk/index.ts";
import { growth, text } from "./support/growth.ts";

let folder: string;
let cairn: Cairn;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cairn-agent-sdk-"));
  cairn = await openCairn({ path: folder });
});
afterEach(async () => {
  await cairn.close();
  rmSync(folder, { recursive: true, force: true });
});

const key = { projectKey: "-home-me-app", sessionId: "0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab" };
const entry = (n: number, more: object = {}): SessionStoreEntry => ({
  type: "user",
  uuid: `u-${n}`,
  timestamp: "2026-01-23T12:00:00Z",
  message: { role: "user", content: text(n) },
  ...more,
});
const entries = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => entry(from + n));
/** Counts entries and remembers the first, as the SDK's function does with what it wants to know. */
const fold: FoldSessionSummary = (previous, { sessionId }, added, { mtime } = {}) => ({
  sessionId,
  mtime: mtime ?? previous?.mtime ?? 0,
  data: {
    first: previous?.data["first"] ?? added[0]?.uuid,
    count: Number(previous?.data["count"] ?? 0) + added.length,
  },
});

describe("agentSdkSessionStore", () => {
  it("gives back what was appended, in its order, and null for what never was", async () => {
    const store = agentSdkSessionStore(cairn);
    await store.append(key, entries(0, 3));
    await store.append(key, [
      { type: "custom-title", customTitle: "a", odd: { a: [null, 1.5, "\u{d800}"] } },
    ]);
    expect(await store.load(key)).toEqual([
      ...entries(0, 3),
      { type: "custom-title", customTitle: "a", odd: { a: [null, 1.5, "\u{d800}"] } },
    ]);
    expect(await store.load({ ...key, sessionId: "other" })).toBeNull();
    expect(await store.load({ ...key, subpath: "subagents/agent-1" })).toBeNull();
  });

  it("adds an entry with a uuid once, however often it comes; one without each time", async () => {
    const store = agentSdkSessionStore(cairn);
    const title = { type: "custom-title", customTitle: "a" };
    await store.append(key, [entry(1), entry(1), title]);
    await store.append(key, [entry(1), entry(2), title]);
    expect(await store.load(key)).toEqual([entry(1), title, entry(2), title]);
    const before = await cairn
      .trail(`agent-sdk/${key.projectKey.replace("-", "_~~2d~")}/${key.sessionId}`)
      .history();
    await store.append(key, [entry(1), entry(2)]);
    const after = await cairn
      .trail(`agent-sdk/${key.projectKey.replace("-", "_~~2d~")}/${key.sessionId}`)
      .history();
    expect(before).toHaveLength(2);
    expect(after).toHaveLength(2);
  });

  it("keeps its own copy: neither who appended nor who loaded can change what is stored", async () => {
    const store = agentSdkSessionStore(cairn);
    const mine = entry(1);
    const appending = store.append(key, [mine]);
    mine["message"] = "changed";
    await appending;
    const loaded = await store.load(key);
    loaded![0]!.type = "changed";
    expect(await store.load(key)).toEqual([entry(1)]);
  });

  it("loses and doubles nothing when several processes append to one session", async () => {
    const others = await Promise.all([openCairn({ path: folder }), openCairn({ path: folder })]);
    const stores = [cairn, ...others].map((each) => agentSdkSessionStore(each, { foldSessionSummary: fold }));
    const appends = stores.flatMap((store, writer) =>
      Array.from({ length: 10 }, (_, n) => store.append(key, [entry(writer * 100 + n), entry(9999)])),
    );
    await Promise.all(appends);
    const uuids = (await stores[0]!.load(key))!.map(({ uuid }) => uuid ?? "");
    expect(uuids.toSorted()).toEqual(
      [0, 1, 2]
        .flatMap((writer) => Array.from({ length: 10 }, (_, n) => `u-${writer * 100 + n}`))
        .concat("u-9999")
        .toSorted(),
    );
    // Each writer's own entries stand in the order in which it appended them.
    for (const writer of [0, 1, 2]) {
      const own = uuids.map((uuid) => Number(uuid.slice(2))).filter((n) => Math.floor(n / 100) === writer);
      expect(own).toEqual(own.toSorted((a, b) => a - b));
    }
    expect(await stores[1]!.listSessionSummaries!(key.projectKey)).toMatchObject([{ data: { count: 31 } }]);
    await Promise.all(others.map((each) => each.close()));
  });

  it("lists sessions, summaries and sub-agents, each of its own project", async () => {
    const store = agentSdkSessionStore(cairn, { foldSessionSummary: fold });
    const long = { projectKey: `-${"very-long".repeat(40)}`, sessionId: "s".repeat(150) };
    await store.append(key, entries(0, 2));
    await store.append({ ...key, subpath: "subagents/agent-1" }, entries(10, 11));
    await store.append({ ...key, subpath: `subagents/${"deep/".repeat(40)}agent-2` }, entries(20, 21));
    await store.append(long, entries(5, 6));
    const [session, ...none] = await store.listSessions(key.projectKey);
    expect(none).toEqual([]);
    expect(session?.sessionId).toBe(key.sessionId);
    expect(Number.isInteger(session?.mtime)).toBe(true);
    expect(await store.listSessionSummaries!(key.projectKey)).toEqual([
      { ...session, data: { first: "u-0", count: 2 } },
    ]);
    expect((await store.listSubkeys(key)).toSorted()).toEqual(
      [`subagents/${"deep/".repeat(40)}agent-2`, "subagents/agent-1"].toSorted(),
    );
    expect((await store.listSessions(long.projectKey)).map(({ sessionId }) => sessionId)).toEqual([
      long.sessionId,
    ]);
    expect(Object.keys(agentSdkSessionStore(cairn))).not.toContain("listSessionSummaries");
    await expect(store.append({ ...key, subpath: "" }, entries(0, 1))).rejects.toMatchObject({
      code: "usage",
    });
  });

  it("deletes a session with its sub-agents, and starts over when it is written again", async () => {
    const store = agentSdkSessionStore(cairn);
    const other = agentSdkSessionStore(cairn);
    const agent = { ...key, subpath: "subagents/agent-1" };
    await store.append(key, entries(0, 2));
    await other.load(key);
    await store.append(agent, entries(3, 4));
    await store.append({ ...key, sessionId: `${key.sessionId}-2` }, entries(7, 8));
    await store.delete(key);
    expect(await other.load(key)).toBeNull();
    expect(await other.load(agent)).toBeNull();
    expect(await store.listSessions(key.projectKey)).toHaveLength(1);
    await other.append(key, entries(0, 1));
    expect(await store.load(key)).toEqual(entries(0, 1));
  });

  it("costs what is appended, not what there is", async () => {
    const many = entries(0, 4000);
    const path = join(folder, "sized");
    const whole = await growth(path, (own) => agentSdkSessionStore(own).append(key, many));
    const grown = await growth(path, async (own) => {
      const store = agentSdkSessionStore(own);
      for (let n = 0; n < 50; n++) await store.append(key, [entry(4000 + n)]);
      expect(await store.load(key)).toHaveLength(4050);
    });
    expect(JSON.stringify(many).length).toBeGreaterThan(2_000_000);
    expect(whole).toBeGreaterThan(1_000_000);
    expect(grown / 50).toBeGreaterThan(0);
    expect(grown / 50).toBeLessThan(4000);
  });

  it("takes secrets out if it is told to", async () => {
    const store = agentSdkSessionStore(cairn, { redactor: createRedactor() });
    await store.append(key, [entry(1, { env: { DB_PASSWORD: "hunter2-Tr0ub4dor" } })]);
    expect(JSON.stringify(await store.load(key))).not.toContain("hunter2");
  });
});
