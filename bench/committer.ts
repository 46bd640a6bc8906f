// A process of the figure "processes": node committer.ts <store> <trail> <commits>
// Says {ready}, waits for go, commits, and says what became of it.
import { say, waitForGo } from "./children.ts";
import { openCairn } from "./library.ts";

export interface Counter {
  readonly count: number;
  readonly recent: readonly string[];
}

export interface Committed {
  readonly done: number;
  readonly errors: readonly string[];
  readonly cpuMicroseconds: number;
}

const INITIAL: Counter = { count: 0, recent: [] };

export function increment(state: Counter): Counter {
  const recent = [...state.recent, `process ${process.pid} after ${state.count}`].slice(-20);
  return { count: state.count + 1, recent };
}

if (import.meta.main) {
  const [path = "", name = "", commits = "0"] = process.argv.slice(2);
  const cairn = await openCairn({ path });
  const trail = cairn.trail<Counter>(name, { initial: INITIAL });
  await trail.load().catch(() => undefined);
  say({ ready: true });
  await waitForGo();
  const errors: string[] = [];
  const cpuBefore = process.cpuUsage();
  for (let number = 0; number < Number(commits); number++) {
    await trail.commit(increment).catch((error: unknown) => errors.push(String(error)));
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  say({ done: Number(commits) - errors.length, errors, cpuMicroseconds: user + system } satisfies Committed);
  await cairn.close();
}
