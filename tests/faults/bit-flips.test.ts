import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { openCairn } from "../../src/doors/library/index.ts";
import type { Flip, Truth } from "./programs/flipper.ts";
import { ask } from "./programs/questions.ts";
import { start } from "./support/child.ts";
import { useFolders } from "./support/folders.ts";
import { bundle } from "./support/program.ts";
import { seed } from "./support/random.ts";
import { report, scaled, TIMEOUT_MS } from "./support/scale.ts";

const LANES = 2;
const folders = useFolders();

describe(`a store with one flipped bit (seed ${seed})`, () => {
  it(
    "never serves a wrong answer, names the damage, and still loads everything else",
    async () => {
      const { file, truth } = await build();
      const count = scaled(80, 12_000);
      const program = bundle("flipper", folders.onDisk());
      const lanes = Array.from({ length: LANES }, (_, lane) =>
        start<Flip>(
          program,
          [file, truth, join(folders.inMemory(), "scratch"), ...[lane, LANES, count, seed].map(String)],
          {
            timeoutMs: TIMEOUT_MS,
          },
        ).ended(),
      );
      const ended = await Promise.all(lanes);
      // Neither a crash nor a hang: every lane came to its end.
      expect(ended.map(({ status, signal, stderr }) => ({ status, signal, stderr }))).toEqual(
        Array.from({ length: LANES }, () => ({ status: 0, signal: null, stderr: "" })),
      );
      const flips = ended.flatMap(({ messages }) => messages);
      expect(flips).toHaveLength(count);
      const harmful = flips.filter(({ verified }) => verified !== null);
      expect(harmful.length).toBeGreaterThanOrEqual(count / 10);
      expect(flips.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
      expect(harmful.filter(({ verified }) => verified?.length === 0)).toEqual([]);
      expect(flips.filter(({ unlisted }) => unlisted.length > 0)).toEqual([]);
      const those = (kind: "denied" | "misled") => flips.filter((flip) => flip[kind].length > 0).length;
      report(
        `${count} bit flips, ${harmful.length} harmful: 0 wrong answers, all named by verify; ` +
          `${those("misled")} misled a list, ${those("denied")} made it say "not found"`,
        "one bit flips anywhere in the store's file",
      );
    },
    TIMEOUT_MS,
  );
});

/** A closed store of sixty checkpoints in two trails, and what it says as long as nobody damages it. */
async function build(): Promise<{ file: string; truth: string }> {
  const folder = folders.inMemory();
  let clock = Date.UTC(2026, 0, 23, 12);
  const cairn = await openCairn({ path: folder, now: () => new Date((clock += 1000)) });
  const ids: string[] = [];
  for (const name of ["main", "session/5f3a"]) {
    const trail = cairn.trail<Note>(name, { initial: noteAt(0) });
    for (let step = 1; step <= 30; step++) {
      const { content_hash } = await trail.commit(() => noteAt(step), { notes: `step ${step}` });
      expect((await trail.load(content_hash)).state).toEqual(noteAt(step));
      ids.push(content_hash);
    }
  }
  const answers = [...(await ask(cairn, { ids, loads: ids }))];
  await cairn.close();
  const truth = join(folders.inMemory(), "truth.json");
  writeFileSync(truth, JSON.stringify({ ids, answers } satisfies Truth));
  return { file: join(folder, "store.sqlite"), truth };
}

interface Note {
  readonly step: number;
  readonly tasks: readonly { readonly id: string; readonly status: string }[];
  readonly page: string;
}

/** Small, because it is loaded a hundred thousand times; with a part that is an object of its own, shared by ten steps. */
function noteAt(step: number): Note {
  const tasks = Array.from({ length: 6 }, (_, id) => ({
    id: `t${id}`,
    status: step % 6 === id ? "in_progress" : "pending",
  }));
  const words = Array.from({ length: 400 }, (_, at) =>
    ((at * 7919 + Math.floor(step / 10) * 104_729) % 46_656).toString(36),
  );
  return { step, tasks, page: words.join(" ") };
}
