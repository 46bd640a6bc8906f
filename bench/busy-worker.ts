// A worker in a process of its own, for measurements: node busy-worker.ts '{"store": {…}, "folder": …, "slots": …}'
// Says what processor time it took whenever it is asked, and drains when nobody will ask any more.
import { createInterface } from "node:readline";
import { peakMemory, say } from "./children.ts";
import { FLOWS } from "./throughput-flows.ts";
import { runWorker } from "./worker-library.ts";

const { store, folder, slots } = JSON.parse(process.argv[2]!);
const end = new AbortController();
createInterface({ input: process.stdin })
  .on("line", () => {
    const { user, system } = process.cpuUsage();
    say({ cpuMs: (user + system) / 1000, memory: peakMemory() });
  })
  .on("close", () => end.abort());
await runWorker({ store, path: folder, workflows: FLOWS, slots, signal: end.signal, now: () => new Date() });
