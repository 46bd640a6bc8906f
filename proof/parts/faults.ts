import type { Part } from "../support/part.ts";
import { runTests } from "../support/vitest.ts";

/** The tests in tests/faults with their full counts. Each report is "how many: what came of it". */
function testsAsPart(name: string, about: string, files: readonly string[]): Part {
  return {
    name,
    about,
    run: async (world) => {
      const reports = await runTests(
        world,
        files.map((file) => `tests/faults/${file}.test.ts`),
      );
      return reports.map((report) => {
        const colon = report.indexOf(": ");
        return { fault: about, count: report.slice(0, colon), outcome: report.slice(colon + 2) };
      });
    },
  };
}

export const links: Part = testsAsPart(
  "links",
  "links and hard links at every path that is written; the .cairn of another user",
  ["links"],
);

export const store: Part = testsAsPart("store", "the store by itself, in tests/faults", [
  "kill-writer",
  "kill-syscalls",
  "io-errors",
  "synced-before-said",
  "bit-flips",
  "truncation",
  "concurrency",
  "interleaving",
  "warm-handle",
  "full-disk",
  "read-only",
  "lost-files",
  "lost-log",
  "not-a-store",
  "clock",
  "names",
  "modes",
  "dead-disk",
  "rollback",
]);
