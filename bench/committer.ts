// A process of the figure "processes": node committer.ts <store> <trail>
// Says that it is ready; for every number that it reads, makes so many commits and says what became of them.
import { createInterface } from "node:readline";
import { say } from "./children.ts";
import { increment, type Counter } from "./counter.ts";
import { openCairn } from "./library.ts";

export interface Committed {
  readonly done: number;
  readonly errors: readonly string[];
  readonly cpuMicroseconds: number;
}

const [path = "", name = ""] = process.argv.slice(2);
const cairn = await openCairn({ path });
const trail = cairn.trail<Counter>(name, { initial: { count: 0, recent: [] } });
const requests = createInterface({ input: process.stdin });
say("ready");
for await (const request of requests) say(await commitOften(Number(request)));
await cairn.close();

async function commitOften(commits: number): Promise<Committed> {
  const errors: string[] = [];
  const cpuBefore = process.cpuUsage();
  for (let number = 0; number < commits; number++) {
    await trail.commit(increment).catch((error: unknown) => errors.push(String(error)));
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return { done: commits - errors.length, errors, cpuMicroseconds: user + system };
}
