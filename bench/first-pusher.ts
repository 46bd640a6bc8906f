// A process of the figure "remote": node first-pusher.ts <store> <endpoint>
// Pushes trail main for the first time, and says how much memory the process ever had.
import { peakMemory, say } from "./children.ts";
import { openCairn } from "./library.ts";
import { openBucket, PUSH_OPTIONS, pushTrail } from "./remote-library.ts";

export interface FirstPush {
  readonly checkpoints: number;
  readonly peakBytes: number;
}

const [path = "", endpoint = ""] = process.argv.slice(2);
const cairn = await openCairn({ path });
const { checkpoints } = await pushTrail(cairn.store, await openBucket(endpoint), "main", PUSH_OPTIONS);
say({ checkpoints, peakBytes: peakMemory() } satisfies FirstPush);
await cairn.close();
