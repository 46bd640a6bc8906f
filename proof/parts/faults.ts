import type { Part } from "../support/part.ts";
import { runTests } from "../support/vitest.ts";

/** Tests with their full counts, named by their path. Each report is "how many: what came of it", after what was done. */
function testsAsPart(name: string, about: string, files: readonly string[]): Part {
  return {
    name,
    about,
    run: async (world) => {
      const reports = await runTests(
        world,
        files.map((file) => `${file}.test.ts`),
      );
      return reports.map((report) => {
        const [, fault = about, count = "", outcome = ""] = /^(?:(.*?) \| )?(.*?): (.*)$/.exec(report) ?? [];
        return { fault, count, outcome };
      });
    },
  };
}

export const links: Part = testsAsPart(
  "links",
  "links and hard links at every path that is written; the .cairn of another user",
  ["tests/faults/links"],
);

export const runners: Part = testsAsPart(
  "runners",
  "kill -9 of the runner of a workflow, with and without its commands",
  ["tests/workflow/crash"],
);

const STORE = [
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
];

export const store: Part = testsAsPart(
  "store",
  "the store by itself, in tests/faults, and the laws of encoding and comparing states",
  ["src/objects/encode", "src/objects/diff", ...STORE.map((name) => `tests/faults/${name}`)],
);
