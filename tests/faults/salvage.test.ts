import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";

import { keyFingerprint } from "../../src/capabilities/governance/keys/signature.ts";
import { openCairn, type Cairn } from "../../src/doors/library/index.ts";
import { agentShow } from "../../src/capabilities/governance/verbs/agents.ts";
import { ledgerVerify } from "../../src/capabilities/governance/verbs/ledger.ts";
import { openProject, storeSalvage } from "../../src/doors/library/project.ts";
import { Governed } from "../governance/support/governed.ts";
import { useFolders } from "./support/folders.ts";

const folders = useFolders();
const COMMITS = 60;

interface Counted {
  count: number;
  texts: string[];
}

async function commit(cairn: Cairn, trail: string, count: number): Promise<void> {
  const initial: Counted = { count: 0, texts: [] };
  await cairn.trail<Counted>(trail, { initial }).commit((state) => {
    state.count = count;
    state.texts.push(`${trail} ${count} `.repeat(200));
  });
}

/** A project with two trails, one forked from the other, a record, and a trail that was deleted. */
async function makeProject(commits = COMMITS): Promise<{ root: string; folder: string; cairn: Cairn }> {
  const root = folders.onDisk();
  const folder = join(root, ".cairn");
  const cairn = await openCairn({ path: folder });
  for (let count = 1; count <= commits; count++) await commit(cairn, "main", count);
  await cairn.trail("main").fork("other");
  await commit(cairn, "other", 1);
  await commit(cairn, "gone", 1);
  await cairn.store.remove({ trails: ["gone"] });
  const head = await cairn.store.head("main");
  if (head) await cairn.store.attach(head, new Map([["note", Buffer.from("kept")]]));
  return { root, folder, cairn };
}

async function salvage(root: string) {
  const env = { XDG_STATE_HOME: join(root, "state"), HOME: root };
  const project = openProject({ path: root, env });
  try {
    return await storeSalvage(project, {});
  } finally {
    await project.stores.close();
  }
}

/** What the new store holds: everything in it loads and is whole. */
async function salvagedIn(root: string) {
  const cairn = await openCairn({ path: join(root, ".cairn-salvaged"), readOnly: true });
  const counts: Record<string, number[]> = {};
  for (const { name } of await cairn.trails()) {
    const trail = cairn.trail<Counted>(name);
    counts[name] = [];
    for (const { checkpoint_id } of await trail.history())
      counts[name].push((await trail.load(checkpoint_id)).state.count);
  }
  const head = await cairn.store.head("main");
  const records = head && (await cairn.store.attachments([head])).get(head);
  await cairn.close();
  return { counts, records };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index);

describe("salvaging a store", () => {
  it("copies everything of one that is whole, and nothing that was deleted", async () => {
    const { root, cairn } = await makeProject();
    await cairn.close();
    expect(await salvage(root)).toMatchObject({ checkpoints: COMMITS + 2, trails: 2, lost: [] });
    const { counts, records } = await salvagedIn(root);
    expect(counts).toEqual({ main: upTo(COMMITS), other: [1, COMMITS] });
    expect(Buffer.from(records?.get("note") ?? []).toString()).toBe("kept");
    await expect(salvage(root)).rejects.toMatchObject({ code: "conflict" });
  });

  it("replaces the store under its name, so that its ledger verifies and its authority still counts", async () => {
    const governed = new Governed();
    try {
      const { publicKey } = await governed.found();
      const env = await governed.agent("keeper", 2);
      expect(await storeSalvage(governed.as("keeper", env), {})).toMatchObject({ lost: [] });
      await governed.close();
      const folder = join(governed.folder, ".cairn");
      renameSync(folder, `${folder}-damaged`);
      renameSync(`${folder}-salvaged`, folder);
      expect(await ledgerVerify(governed.as(), [])).toMatchObject({
        problem: undefined,
        forged: [],
        authority: [keyFingerprint(publicKey)],
      });
      expect(await agentShow(governed.as(), "keeper")).toMatchObject({ tier: 2 });
    } finally {
      await governed.remove();
    }
  });

  it("finds in pages what SQLite cannot reach any more", async () => {
    const { root, folder, cairn } = await makeProject();
    await cairn.close();
    const store = join(folder, "store.sqlite");
    destroyRoots(store);
    await expect(openCairn({ path: folder })).rejects.toMatchObject({ code: "corrupt" });
    const before = readFileSync(store);
    const { checkpoints, lost } = await salvage(root);
    expect(readFileSync(store).equals(before)).toBe(true);
    expect(checkpoints + lost.filter(({ what }) => what === "checkpoint").length).toBeGreaterThanOrEqual(
      COMMITS,
    );
    expect(checkpoints).toBeGreaterThan(COMMITS / 2);
    const { counts } = await salvagedIn(root);
    expect(counts["main"]?.length).toBeGreaterThan(COMMITS / 2);
  });

  it("lists what is lost of one with damaged pages, and each trail continues from what is whole", async () => {
    const { root, folder, cairn } = await makeProject();
    await cairn.close();
    const store = join(folder, "store.sqlite");
    const pages = statSync(store).size / 2048;
    for (let page = Math.floor(pages * 0.8); page < pages; page++) zero(store, page);
    const { checkpoints, lost } = await salvage(root);
    expect(checkpoints).toBeGreaterThan(0);
    expect(lost.length).toBeGreaterThan(0);
    const { counts } = await salvagedIn(root);
    for (const found of Object.values(counts)) expect(found).toEqual(found.toSorted((a, b) => b - a));
  });

  it("takes what lies behind a gap in the log, and in a log that was kept aside", async () => {
    const { root, folder, cairn } = await makeProject(COMMITS);
    const log = join(folder, "store.sqlite-wal");
    const bytes = readFileSync(log);
    // A gap in the middle, as a program leaves that writes on after the log was truncated.
    bytes.fill(0, Math.floor(bytes.length / 3), Math.floor(bytes.length / 3) + 5000);
    const main = readFileSync(join(folder, "store.sqlite"));
    await cairn.close();
    writeFileSync(join(folder, "store.sqlite"), main);
    writeFileSync(log, bytes);
    const { trail } = await acceptedHistory(folder);
    const { checkpoints } = await salvage(root);
    expect(checkpoints).toBeGreaterThan(trail);
  });

  it("tells a store that is missing, and finds nothing in an empty one", async () => {
    const root = folders.onDisk();
    await expect(salvage(root)).rejects.toMatchObject({ code: "not-found" });
    const { root: other, folder, cairn } = await makeProject(1);
    await cairn.close();
    truncateSync(join(folder, "store.sqlite"), 0);
    expect(await salvage(other)).toMatchObject({ checkpoints: 0, trails: 0 });
  });
});

/** How much is left once the loss is accepted. */
async function acceptedHistory(folder: string): Promise<{ trail: number }> {
  const cairn = await openCairn({ path: folder, acceptLoss: true });
  const trail = (await cairn.trail("main").history()).length;
  await cairn.close();
  return { trail };
}

/** The pages where the trees of all tables begin: SQLite finds nothing without them. */
function destroyRoots(store: string): void {
  const db = new DatabaseSync(store, { readOnly: true });
  const roots = db.prepare("SELECT rootpage FROM sqlite_schema WHERE rootpage > 0").all();
  db.close();
  for (const { rootpage } of [...roots, { rootpage: 1 }]) zero(store, Number(rootpage) - 1);
}

function zero(store: string, page: number): void {
  const file = openSync(store, "r+");
  writeSync(file, Buffer.alloc(2048), 0, 2048, page * 2048);
  closeSync(file);
}
