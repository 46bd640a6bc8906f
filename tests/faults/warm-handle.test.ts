import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";

import { openCairn } from "../../src/doors/library/index.ts";
import { newValue, type NewObject } from "../../src/core/objects/object-format.ts";
import { openSqliteStore } from "../../src/core/store/sqlite.ts";
import { NO_WORK, workAt, type Work } from "./programs/work.ts";
import type { Told } from "./programs/writer.ts";
import { start } from "./support/child.ts";
import { useFolders } from "./support/folders.ts";
import { bundle } from "./support/program.ts";
import { report, scaled, TIMEOUT_MS } from "./support/scale.ts";

const folders = useFolders();

describe("a handle that has been open for long and remembers what it stored", () => {
  it.each(["verify", "identity"] as const)(
    "writes complete checkpoints after another process swept away what it remembers (%s mode)",
    async (recognition) => {
      const program = bundle("writer", folders.onDisk());
      const folder = folders.onDisk();
      const cairn = await openCairn({ path: folder });
      const trail = cairn.trail<Work>("main", { initial: NO_WORK, recognition });
      const rounds = scaled(3, 30);
      let swept = 0;
      for (let round = 0; round < rounds; round++) {
        const [near, far] = [workAt(50 + round), workAt(5_000 + 50 * round)];
        await trail.commit(() => near);
        await trail.commit(() => far);
        const before = (await cairn.verify()).objects;
        // The other one keeps the newest only. Every second time it also moves the head on.
        const operations = ["open", ...(round % 2 === 0 ? [] : ["commit"]), "prune:1", "close"];
        const { status, stderr } = await start<Told>(program, [folder, ...operations]).ended();
        expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
        swept += before - (await cairn.verify()).objects;

        // All the parts of this state were there a moment ago, and are gone now.
        const { content_hash } = await trail.commit(() => near);
        const witness = await openCairn({ path: folder, readOnly: true });
        expect((await witness.trail<Work>("main").load(content_hash)).state).toEqual(near);
        expect((await witness.verify()).damage).toEqual([]);
        await witness.close();
      }
      await cairn.close();
      expect(swept).toBeGreaterThanOrEqual(rounds * 3);
      report(
        `a warm handle beside a sweeper (${recognition}): ${rounds} rounds, ${swept} objects swept, all commits complete`,
        "a process keeps the store open while another deletes what nobody refers to",
      );
    },
    TIMEOUT_MS,
  );

  it("writes a commit whole that was packed against something swept away while it waited for the lock", async () => {
    const folder = folders.onDisk();
    const store = await openSqliteStore({ path: join(folder, "store.sqlite") });
    const text = (word: string) => `${"all of this is the same, again and again. ".repeat(20)}${word}`;
    const first = newValue("V", JSON.stringify([text("one")]), []);
    const second = newValue("V", JSON.stringify([text("one"), text("two")]), [], first.id);
    const commitOf = (root: NewObject, trail: string) => ({
      objects: [root],
      checkpoint: newValue("C", '{"state":0}', [{ path: ["state"], target: root.id }]),
      trail,
      parent: undefined,
      createdAt: 0,
      head: { from: undefined },
    });
    await store.commit(commitOf(first, "gone"));
    await store.remove({ trails: ["gone"] });

    const sweeper = new DatabaseSync(join(folder, "store.sqlite"));
    sweeper.exec("BEGIN IMMEDIATE");
    const waiting = store.commit(commitOf(second, "main"));
    const { changes } = sweeper.prepare("DELETE FROM objects").run();
    expect(changes).toBe(2);
    sweeper.exec("DELETE FROM ids; UPDATE counters SET sweeps = sweeps + 1, last_row = 2; COMMIT");
    sweeper.close();
    await waiting;

    expect((await store.readObjects([second.id])).get(second.id)).toEqual(second.bytes);
    expect((await store.verify()).damage).toEqual([]);
    await store.close();
  });
});
