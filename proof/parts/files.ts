import { runHistory } from "../../tests/files/support/history.ts";
import { atLeast, none, number, type Part } from "../support/part.ts";
import { testsAsPart } from "./faults.ts";

const PROVES = ["src/capabilities/files", "src/core/objects", "src/work/capture/git"];
const AT_ONCE = 6;

/** Random histories of a project's files, each brought back to a random moment, and forth again. */
export const files: Part = {
  name: "files",
  about: "random histories of a project's files, brought back to a random moment and forth again",
  proves: PROVES,
  run: async (world) => {
    const count = world.isQuick ? 60 : 2000;
    const wrong: string[] = [];
    let [next, done] = [0, 0];
    const lane = async () => {
      while (next < count) {
        const seed = world.seed + next++;
        // A tenth of them without git.
        const found = await runHistory(seed, { hasGit: seed % 10 !== 0, steps: 12 + (seed % 15) });
        wrong.push(...found.map((what) => `seed ${seed}: ${what}`));
        world.progress(`${++done} of ${count} histories`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    none(wrong, "a file with other bytes than at its moment");
    atLeast(count, done, "histories");
    return [
      {
        fault: "edits, renames, modes, links, commits, stashes and resets in random order, then a rewind",
        count: `${number(done)} histories`,
        outcome: "every byte as it was, `.git` untouched, every rewind taken back",
      },
    ];
  },
};

export const killedRewinds: Part = testsAsPart(
  {
    name: "killed-rewinds",
    about: "`kill -9` before and after each change that a rewind makes to the disk",
    proves: PROVES,
  },
  ["tests/files/killed-rewind"],
);
