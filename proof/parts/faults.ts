import type { Part } from "../support/part.ts";
import { runTests } from "../support/vitest.ts";

type Described = Pick<Part, "name" | "about" | "proves">;

/** Tests with their full counts, named by their path. Each report is "how many: what came of it", after what was done. */
export function testsAsPart({ name, about, proves }: Described, files: readonly string[]): Part {
  return {
    name,
    about,
    proves,
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
  {
    name: "links",
    about: "links and hard links at every path that is written; the .cairn of another user",
    proves: [
      "src/core/store",
      "src/core/trails",
      "src/work/sessions",
      "src/capabilities/workflow",
      "src/capabilities/sync",
      "src/work/project",
    ],
  },
  ["tests/faults/links"],
);

export const runners: Part = testsAsPart(
  {
    name: "runners",
    about: "kill -9 of the runner of a workflow, with and without its commands",
    proves: ["src/capabilities/workflow", "src/core/store"],
  },
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
  {
    name: "store",
    about: "the store by itself, in tests/faults, and the laws of encoding and comparing states",
    proves: ["src/core/objects", "src/core/store", "src/core/trails"],
  },
  ["src/core/objects/encode", "src/core/objects/diff", ...STORE.map((name) => `tests/faults/${name}`)],
);
