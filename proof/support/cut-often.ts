import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { integer, type Random } from "../../tests/faults/support/random.ts";
import { makeLiveDisk, type FileSystem } from "./images.ts";
import { none, type World } from "./part.ts";
import type { Workload } from "./workloads.ts";

export const FILE_SYSTEMS: readonly FileSystem[] = ["ext4", "xfs", "btrfs"];

interface Cutting {
  readonly world: World;
  readonly holder: string;
  readonly kind: FileSystem;
  readonly cuts: number;
  readonly random: Random;
  /** How many cuts there were before. */
  readonly first: number;
}

/** Cuts the power of a disk that workloads write to, so many times, and lets each check what is left. */
export async function cutOften(
  { world, holder, kind, cuts, random, first }: Cutting,
  begin: (disk: string, home: string) => readonly Workload[],
): Promise<{ acknowledged: number; problems: string[] }> {
  const name = `${kind}-${first}`;
  const disk = makeLiveDisk(holder, kind, name);
  const home = join(world.folder, `home-${name}`);
  mkdirSync(home, { recursive: true });
  const problems: string[] = [];
  const workloads = begin(disk.folder, home);
  try {
    // A cut before anything was acknowledged could lose nothing.
    for (let tries = 0; tries < 600 && workloads.some(({ count }) => count() === 0); tries++) await wait(100);
    none(
      workloads.filter(({ count }) => count() === 0).map(({ name }) => name),
      "nothing saved within a minute",
    );
    for (let count = 1; count <= cuts; count++) {
      await wait(integer(random, 60, 500));
      // What is acknowledged after this line does not count.
      const checks = workloads.map((workload) => ({ workload, check: workload.check() }));
      const cut = disk.cutPower();
      for (const { pause } of workloads) pause(true);
      try {
        for (const { workload, check } of checks)
          problems.push(
            ...(await check(cut.folder)).map((problem) => `${kind}, ${workload.name}: ${problem}`),
          );
      } finally {
        cut.release();
        for (const { pause } of workloads) pause(false);
      }
      world.progress(`${first + count} cuts, now on ${kind}; ${problems.length} problems`);
    }
    return { acknowledged: workloads.reduce((sum, { count }) => sum + count(), 0), problems };
  } finally {
    await Promise.all(workloads.map(async ({ stop }) => stop()));
    disk.remove();
  }
}
