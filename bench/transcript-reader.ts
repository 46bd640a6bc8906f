// Measures the CPU of reading and reducing whole transcripts, and that of `JSON.parse` of their lines, in turn. A process
// of its own, so that neither pays for the heap of a bench that has done other things before:
//   node transcript-reader.ts <folder of recorded sessions> <folder to work in>
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { emptyWorkState } from "../src/work/state/work-state.ts";
import { reduceActivity } from "../src/work/sessions/activity/reduce-activity.ts";
import { readActivity } from "../src/work/sessions/transcripts/read-activity.ts";

/** Microseconds of CPU for all transcripts together, once each. */
export interface ReadingCost {
  readonly reading: number;
  readonly parsing: number;
  readonly transcripts: number;
}

const ROUNDS = 3;

const [sessions = "", folder = ""] = process.argv.slice(2);
let [reading, parsing] = [0, 0];
const files = readdirSync(sessions).filter((name) => name.endsWith(".jsonl.gz"));
for (const name of files) {
  const content = gunzipSync(readFileSync(join(sessions, name))).toString("utf8");
  const sessionId = basename(name, ".jsonl.gz");
  const path = join(folder, `${sessionId}.jsonl`);
  writeFileSync(path, content);
  const lines = content.split("\n").filter((line) => line !== "");
  for (let round = 0; round < ROUNDS; round++) {
    parsing += cpuOf(() => lines.forEach((line) => void JSON.parse(line)));
    reading += cpuOf(() => {
      const session = { client: "claude" as const, sessionId, env: {}, folder };
      const news = readActivity({ ...session, named: path, root: "/", from: undefined });
      if (news === undefined) throw new Error(`Nothing was read of ${name}.`);
      reduceActivity(emptyWorkState(), news);
    });
  }
}
const cost: ReadingCost = {
  reading: reading / ROUNDS,
  parsing: parsing / ROUNDS,
  transcripts: files.length,
};
console.log(JSON.stringify(cost));

function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
