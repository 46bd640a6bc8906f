import type { Part } from "../support/part.ts";
import { runTests } from "../support/vitest.ts";

export const remotes: Part = {
  name: "remotes",
  about: "four machines that share a bucket and are killed while they save, push, pull and join",
  run: async (world) => {
    const reports = await runTests(world, ["tests/remote/four-machines.test.ts"]);
    return reports.map((report) => {
      const [count = "", outcome = ""] = report.split(": ");
      return { fault: "kill -9 in the middle of saving, pushing, pulling and joining", count, outcome };
    });
  },
};
