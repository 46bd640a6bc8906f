// A process of the figure "processes": node committer.ts <store> <trail>
// Warms up on a store of its own and says that it is ready; for every number that it reads, makes so many commits and
// says what became of them.
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { say } from "./children.ts";
import { increment, type Counter } from "./counter.ts";
import { openCairn } from "./library.ts";

export interface Committed {
  readonly done: number;
  readonly errors: readonly string[];
  readonly cpuMicroseconds: number;
}

/** So that both sides are measured at full speed: else the sixteen would still be compiled, and the one not. */
const WARM_UP_COMMITS = 4000;

const [path = "", name = ""] = process.argv.slice(2);
await warmUp(`${path}-warm-up-${process.pid}`);
const cairn = await openCairn({ path });
const trail = cairn.trail<Counter>(name, { initial: { count: 0, recent: [] } });
const requests = createInterface({ input: process.stdin });
say("ready");
for await (const request of requests) say(await commitOften(Number(request)));
await cairn.close();

async function warmUp(own: string): Promise<void> {
  const cairn = await openCairn({ path: own });
  const trail = cairn.trail<Counter>("main", { initial: { count: 0, recent: [] } });
  for (let number = 0; number < WARM_UP_COMMITS; number++) await trail.commit(increment);
  await cairn.close();
  rmSync(own, { recursive: true });
}

async function commitOften(commits: number): Promise<Committed> {
  const errors: string[] = [];
  const cpuBefore = process.cpuUsage();
  for (let number = 0; number < commits; number++) {
    await trail.commit(increment).catch((error: unknown) => errors.push(String(error)));
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return { done: commits - errors.length, errors, cpuMicroseconds: user + system };
}
