// A process of the figure "memory": node latest-loader.ts <store>
// Loads the latest checkpoint of trail main, and says how much memory the process ever had.
import { peakMemory, say } from "./children.ts";
import { openCairn } from "./library.ts";

export interface Loaded {
  readonly count: number;
  readonly peakBytes: number;
}

const cairn = await openCairn({ path: process.argv[2] ?? "" });
const latest = await cairn.trail<{ count: number }>("main").load();
say({ count: latest?.state.count ?? 0, peakBytes: peakMemory() } satisfies Loaded);
await cairn.close();
