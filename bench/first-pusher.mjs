// A process of the figure "remote": node first-pusher.mjs <store> <endpoint>
// Pushes trail main for the first time, and says how much memory the process ever had. In JavaScript, and with nothing
// but the build: to strip types takes Node 20 MB, which nobody who pushes has to spend.
import { readFileSync } from "node:fs";

const built = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
const { openCairn } = await built("doors/library/index.js");
const { pushTrail } = await built("capabilities/sync/push.js");
const { openS3Remote } = await built("capabilities/sync/places/s3-remote.js");
const { UNSEALED: sealing } = await built("capabilities/sync/sealing.js");

const [path, endpoint] = process.argv.slice(2);
const place = { endpoint, region: "us-east-1", bucket: "bucket", prefix: "app/", label: "bench" };
const credentials = { accessKeyId: "key", secretAccessKey: "secret" };
const remote = await openS3Remote(place, credentials, () => Promise.resolve());
const cairn = await openCairn({ path });
const options = { machine: "bench", now: () => new Date(), random: () => "first" };
const { checkpoints } = await pushTrail(cairn.store, { remote, sealing }, "main", options);
console.log(JSON.stringify({ checkpoints, peakBytes: peakMemory() }));
await cairn.close();

function peakMemory() {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
}
