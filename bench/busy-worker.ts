// A worker in a process of its own, for measurements: node busy-worker.ts '{"store": {…}, "folder": …, "slots": …}'
// Says when it is ready, and what processor time it took whenever it is asked; drains when nobody will ask any more.
import { createInterface } from "node:readline";
import { peakMemory, say } from "./children.ts";
import { FLOWS } from "./throughput-flows.ts";
import { runWorker } from "./worker-library.ts";

const options = JSON.parse(process.argv[2]!);
const end = new AbortController();
createInterface({ input: process.stdin })
  .on("line", () => {
    const { user, system } = process.cpuUsage();
    say({ cpuMs: (user + system) / 1000, memory: peakMemory() });
  })
  .on("close", () => end.abort());
const { folder: path, ...others } = options;
const now = () => new Date();
await runWorker({ ...others, path, workflows: FLOWS, signal: end.signal, now, onReady: () => say("ready") });
