import type { Part } from "../support/part.ts";
import { runTests } from "../support/vitest.ts";

const TESTS = [
  {
    file: "tests/remote/four-machines.test.ts",
    fault: "kill -9 in the middle of saving, pushing, pulling and joining",
  },
  { file: "tests/mirror/commands.test.ts", fault: "kill -9 of those who save and mirror" },
];

export const remotes: Part = {
  name: "remotes",
  about: "four machines that share a bucket, and a mirror, killed while they save, push, pull, join and copy",
  run: async (world) => {
    const rows = [];
    for (const { file, fault } of TESTS)
      for (const report of await runTests(world, [file])) {
        const [count = "", outcome = ""] = report.split(": ");
        rows.push({ fault, count, outcome });
      }
    return rows;
  },
};
