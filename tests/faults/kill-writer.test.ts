import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";

import type { Told } from "./programs/writer.ts";
import { acknowledged, checkAftermath } from "./support/aftermath.ts";
import { inLanes, start } from "./support/child.ts";
import { useFolders } from "./support/folders.ts";
import { bundle } from "./support/program.ts";
import { integer, randomFrom, seed } from "./support/random.ts";
import { report, scaled, TIMEOUT_MS } from "./support/scale.ts";

const folders = useFolders();
const program = bundle("writer", folders.onDisk());

describe(`a writer that is killed with kill -9 (seed ${seed})`, () => {
  it(
    "loses no acknowledged checkpoint, wherever the kill strikes, and the next writer goes on",
    async () => {
      const rounds = scaled(5, 11);
      const stores = Array.from({ length: scaled(1, 20) }, () => folders.onDisk());
      const kills = stores.length * rounds;
      let acks = 0;
      let unannounced = 0;
      await inLanes(stores, 2, async (folder, lane) => {
        const random = randomFrom(seed + lane);
        const all: Told[] = [];
        for (let round = 0; round < rounds; round++) {
          const told = await killed(folder, ["open", "commit", "…"], {
            after: (message, count) => "did" in message && message.did === "commit" && count > round % 8,
            delayMs: integer(random, 0, 12),
          });
          const left = await checkAftermath(folder, told);
          expect(left.unannounced).toBeLessThanOrEqual(1);
          unannounced += left.unannounced;
          all.push(...told);
        }
        // Whatever any of them acknowledged is still there at the end, not only what the last one did.
        const acknowledgedByAll = acknowledged(all).length;
        expect((await checkAftermath(folder, all)).loaded).toBe(acknowledgedByAll);
        acks += acknowledgedByAll;
      });
      expect(acks).toBeGreaterThanOrEqual(kills * 3);
      report(
        `${kills} kills of a writer: ${acks} acknowledged, 0 lost, ${unannounced} durable but not told`,
        "`kill -9` of a process that commits, at any moment",
      );
    },
    TIMEOUT_MS,
  );

  it(
    "loses nothing while it prunes and sweeps, and the next one finishes the job",
    async () => {
      const random = randomFrom(seed);
      const folder = folders.onDisk();
      const kills = scaled(5, 80);
      let begun = 0;
      for (let round = 0; round < kills; round++) {
        const told = await killed(folder, ["open", "commit:12", "prune:3", "…"], {
          after: (message) => "doing" in message && message.doing === "prune",
          delayMs: integer(random, 0, 10),
        });
        const last = told.at(-1);
        if (last && "doing" in last && last.doing === "prune") begun++;
        await checkAftermath(folder, told);
      }
      // A kill that always came too late would prove nothing.
      expect(begun).toBeGreaterThanOrEqual(kills / 4);
      report(
        `${kills} kills around prune and sweep, ${begun} of them in the middle: 0 lost`,
        "`kill -9` of a process that prunes and sweeps",
      );
    },
    TIMEOUT_MS,
  );

  it(
    "leaves a folder that the next writer can use when it dies while making the store",
    async () => {
      const random = randomFrom(seed);
      const kills = scaled(8, 80);
      let unfinished = 0;
      await inLanes(Array.from({ length: kills }), 2, async () => {
        const folder = folders.onDisk();
        const told = await killed(folder, ["open", "commit", "…"], {
          after: (message) => "doing" in message && message.doing === "open",
          delayMs: integer(random, 0, 14),
        });
        if (!told.some((message) => "did" in message)) unfinished++;
        await checkAftermath(folder, told);
      });
      expect(unfinished).toBeGreaterThanOrEqual(kills / 7);
      report(
        `${kills} kills while the store is made, ${unfinished} before it was: 0 unusable folders`,
        "`kill -9` of a process that makes a store",
      );
    },
    TIMEOUT_MS,
  );
});

interface Strike {
  /** The message after which the kill is due; `count` is how many commits were acknowledged. */
  readonly after: (message: Told, count: number) => boolean;
  readonly delayMs: number;
}

async function killed(
  folder: string,
  operations: readonly string[],
  { after, delayMs }: Strike,
): Promise<Told[]> {
  const child = start<Told>(program, [folder, ...operations]);
  await child.heard((message) => after(message, acknowledged(child.messages).length));
  await wait(delayMs);
  child.kill();
  const { messages, signal, stderr } = await child.ended();
  expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
  return [...messages];
}
