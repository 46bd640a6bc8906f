// Does upkeep beside the writers until a file "stop" appears: node keeper.mjs <folder> prune|sweep|verify
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openCairn, type Cairn } from "../../../src/doors/library/index.ts";
import { prune } from "../../../src/core/trails/prune.ts";
import { exitStatusOf, failureOf, say, type Failure } from "./say.ts";
import { NO_WORK, workAt, type Work } from "./work.ts";

export type Upkeep =
  | { readonly rounds: number; readonly deleted: number; readonly damage: readonly string[] }
  | { readonly failure: Failure };

type Round = (cairn: Cairn, round: number) => Promise<{ deleted?: number; damage?: string[] }>;

const ROLES: Readonly<Record<string, Round>> = {
  // Its states share their parts with those of the writers, so what it prunes is what they are about to need.
  prune: async (cairn, round) => {
    const trail = cairn.trail<Work>("scratch", { initial: NO_WORK });
    for (let step = 1; step <= 4; step++) await trail.commit(() => workAt(round * 4 + step));
    const { removed } = await prune(cairn.store, { trail: "scratch" }, { last: 1 }, { now: new Date() });
    return { deleted: removed.length };
  },
  sweep: async (cairn) => ({ deleted: (await cairn.sweep()).objectsDeleted }),
  verify: async (cairn) => ({ damage: (await cairn.verify()).damage.map(({ what }) => what) }),
};

const [folder = "", role = ""] = process.argv.slice(2);
const parent = process.ppid;
try {
  const cairn = await openCairn({ path: folder });
  const total = { rounds: 0, deleted: 0, damage: [] as string[] };
  // An orphan stops too: nobody would tell it to.
  while (!existsSync(join(folder, "stop")) && process.ppid === parent) {
    const { deleted = 0, damage = [] } = await (ROLES[role] as Round)(cairn, total.rounds++);
    total.deleted += deleted;
    total.damage.push(...damage);
    await wait(5);
  }
  await cairn.close();
  say(total satisfies Upkeep);
} catch (error) {
  const failure = failureOf(error);
  say({ failure } satisfies Upkeep);
  process.exitCode = exitStatusOf(failure);
}
