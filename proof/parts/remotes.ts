import type { Part } from "../support/part.ts";
import { runTests } from "../support/vitest.ts";

/** Each test file, and what it does in the order of what it reports. */
const TESTS = [
  {
    file: "tests/remote/four-machines.test.ts",
    faults: ["four machines that share a bucket, `kill -9` while they save, push, pull and join"],
  },
  {
    file: "tests/remote/killed-movers.test.ts",
    faults: [
      "`kill -9` of a push at any byte between it and the bucket",
      "`kill -9` of a pull at any byte between it and the bucket",
      "`kill -9` of a pull at every system call that changes the store",
      "`kill -9` of a mirror at every system call that changes it",
    ],
  },
  {
    file: "tests/remote/hostile-bucket.test.ts",
    faults: ["a bucket that serves other bytes than it was given", "the same, where they are sealed"],
  },
  {
    file: "tests/mirror/commands.test.ts",
    faults: ["`kill -9` of those who save and mirror, at any moment"],
  },
];

export const remotes: Part = {
  name: "remotes",
  about: "four machines that share a bucket, and a mirror, killed while they save, push, pull, join and copy",
  proves: [
    "src/capabilities/sync",
    "src/core/trails/lines",
    "src/capabilities/sync/remotes",
    "src/capabilities/sync/mirror",
  ],
  run: async (world) => {
    const rows = [];
    for (const { file, faults } of TESTS) {
      const reports = await runTests(world, [file]);
      if (reports.length !== faults.length && !world.isQuick)
        throw new Error(`${file} reported ${reports.length} of ${faults.length} campaigns.`);
      for (const [at, report] of reports.entries()) {
        const [count = "", outcome = ""] = report.split(": ");
        rows.push({ fault: faults[at] ?? file, count, outcome });
      }
    }
    return rows;
  },
};
