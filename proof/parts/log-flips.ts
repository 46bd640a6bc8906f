import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { isCheckpointError, openCairn } from "../../src/doors/library/index.ts";
import { advance, NO_WORK, workAt, type Work } from "../../tests/faults/programs/work.ts";
import type { Told } from "../../tests/faults/programs/writer.ts";
import { start } from "../../tests/faults/support/child.ts";
import { integer, randomFrom, type Random } from "../../tests/faults/support/random.ts";
import { acknowledgedIn } from "../support/examine.ts";
import { atLeast, none, number, type Part, type Row, type World } from "../support/part.ts";
import { bundleProgram } from "../support/programs.ts";

const COMMITS = 2;
const FILES = ["store.sqlite", "store.sqlite-wal", "store.sqlite-mark"] as const;
type Left = Readonly<Record<(typeof FILES)[number], Buffer>>;

export const logFlips: Part = {
  name: "log-flips",
  about: "flipped bits in the log and the mark, torn and old marks, mixed copies, copies of a store in use",
  proves: ["src/core/objects", "src/core/store", "src/core/trails"],
  run: async (world) => {
    const program = await bundleProgram("writer", world.folder);
    const left = await leaveLog(world, program);
    const random = randomFrom(world.seed);
    const steps = [
      async () => flipLog(world, left, random),
      async () => flipMark(world, left),
      async () => mixCopies(world),
      async () => copyLive(world, program, random),
    ];
    const rows = [...((world.recall() as Row[] | undefined) ?? [])];
    for (const step of steps.slice(rows.length)) {
      rows.push(await step());
      world.keep(rows);
    }
    return rows;
  },
};

/** What a writer leaves that is killed after its last commit: everything is in the log. */
async function leaveLog(world: World, program: string): Promise<Left> {
  const folder = join(world.memory, "left");
  await start<Told>(program, [folder, "open", `commit:${COMMITS}`, "die"]).ended();
  return filesIn(folder);
}

function filesIn(folder: string): Left {
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : Buffer.alloc(0);
  return Object.fromEntries(FILES.map((name) => [name, read(name)])) as Left;
}

async function flipLog(world: World, left: Left, random: Random): Promise<Row> {
  const log = left["store.sqlite-wal"];
  const step = world.isQuick ? Math.ceil(log.length / 200) : 1;
  const silent: string[] = [];
  let [flips, harmful] = [0, 0];
  for (let at = 0; at < log.length; at += step) {
    const flipped = Buffer.from(log);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << integer(random, 0, 7));
    const outcome = await look(world, { ...left, "store.sqlite-wal": flipped }, { readOnly: at % 7 !== 0 });
    flips++;
    if (outcome === "told") harmful++;
    else if (outcome !== COMMITS) silent.push(`byte ${at}: ${outcome}`);
    world.progress(`${flips} of ${log.length} bytes of the log; ${silent.length} silent`);
  }
  none(silent, "a flipped bit in the log lost something silently");
  atLeast(flips / 10, harmful, "harmful flips");
  return {
    fault: "one flipped bit in each byte of the log that a killed writer left",
    count: `${number(flips)} flips, ${number(harmful)} of them harmful`,
    outcome: "0 silent: each loss is told, all else is there",
  };
}

async function flipMark(world: World, left: Left): Promise<Row> {
  const mark = left["store.sqlite-mark"];
  const marks: Buffer[] = [];
  for (let bit = 0; bit < mark.length * 8; bit++) {
    const flipped = Buffer.from(mark);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    marks.push(flipped);
  }
  for (let length = 0; length < mark.length; length++) {
    marks.push(
      mark.subarray(0, length),
      Buffer.concat([mark.subarray(0, length), Buffer.alloc(mark.length - length)]),
    );
  }
  const wrong: string[] = [];
  const chosen = world.isQuick ? marks.filter((_, index) => index % 20 === 0) : marks;
  for (const [index, damaged] of chosen.entries()) {
    const outcome = await look(
      world,
      { ...left, "store.sqlite-mark": damaged },
      { readOnly: index % 7 !== 0 },
    );
    if (outcome !== COMMITS) wrong.push(`mark ${index}: ${outcome}`);
    world.progress(`${index} of ${chosen.length} marks; ${wrong.length} false alarms`);
  }
  none(wrong, "a damaged mark raised a false alarm");
  return {
    fault: "each bit of the mark flipped; the mark cut, or zero from each byte on",
    count: `${number(chosen.length)} marks`,
    outcome: "0 false alarms, nothing lost",
  };
}

/** Main file, log and mark from any three moments of one store. */
async function mixCopies(world: World): Promise<Row> {
  const folder = join(world.memory, "moments");
  const moments: Left[] = [];
  const cairn = await openCairn({ path: folder });
  const trail = cairn.trail<Work>("main", { initial: NO_WORK });
  const most = world.isQuick ? 3 : 8;
  for (let step = 1; step <= most; step++) {
    await trail.commit(advance);
    // Now and then the log goes into the main file, and starts anew.
    if (step % 3 === 0) await cairn.sweep();
    moments.push(filesIn(folder));
  }
  await cairn.close();
  const silent: string[] = [];
  let [count, told] = [0, 0];
  for (const [main, a] of moments.entries())
    for (const [log, b] of moments.entries())
      for (const [mark, c] of moments.entries()) {
        const mixed: Left = {
          "store.sqlite": a["store.sqlite"],
          "store.sqlite-wal": b["store.sqlite-wal"],
          "store.sqlite-mark": c["store.sqlite-mark"],
        };
        const outcome = await look(world, mixed, { readOnly: count++ % 3 !== 0 });
        if (outcome === "told") told++;
        // Commits up to the mark must be there; more may be.
        else if (typeof outcome === "string" || outcome < mark + 1)
          silent.push(`${main}/${log}/${mark}: ${outcome}`);
        if (outcome === "told" && main === log && log === mark) silent.push(`false alarm at ${main}`);
        world.progress(`${count} mixed copies; ${silent.length} silent`);
      }
  none(silent, "a mixed copy was served silently");
  atLeast(1, told, "mixed copies that were refused");
  return {
    fault: "main file, log and mark taken from different moments of a store",
    count: `${number(count)} mixtures, ${number(told)} refused`,
    outcome: "0 silent, 0 false alarms for whole copies",
  };
}

/** Files copied one after the other while a writer is at work, and readers that open the store meanwhile. */
async function copyLive(world: World, program: string, random: Random): Promise<Row> {
  const wrong: string[] = [];
  const [stores, copies] = world.isQuick ? [1, 10] : [15, 20];
  let told = 0;
  // A new store now and then: what is asked each time grows with its history.
  for (let store = 0; store < stores; store++) {
    const folder = join(world.memory, `live-${store}`);
    const writer = start<Told>(program, [folder, "open", "commit:4", "…"], { timeoutMs: 3_600_000 });
    await writer.heard((message) => "did" in message && message.did === "commit");
    for (let count = 1; count <= copies; count++) {
      // The event loop must turn, or nothing that the writer says arrives.
      await new Promise((resolve) => setTimeout(resolve, integer(random, 0, 5)));
      const before = acknowledgedIn(writer.messages).length;
      const reader = await lookAt(folder, true);
      if (typeof reader === "string" || reader < before)
        wrong.push(`a reader beside a writer: ${reader}, not ${before}`);
      const outcome = await lookAt(copyOf(world, folder), count % 3 !== 0);
      if (outcome === "told") told++;
      else if (typeof outcome === "string") wrong.push(`a live copy: ${outcome}`);
      world.progress(`${store * copies + count} live copies; ${wrong.length} wrong`);
    }
    writer.kill();
    await writer.ended();
    rmSync(folder, { recursive: true });
  }
  none(wrong, "a reader or a live copy was wrong");
  const count = number(stores * copies);
  return {
    fault: "a store copied file by file while a writer is at work, and opened by a reader each time",
    count: `${count} copies (${number(told)} refused as torn), ${count} readers`,
    outcome: "0 wrong answers, 0 false alarms for readers",
  };
}

function copyOf(world: World, folder: string): string {
  const copy = join(world.memory, "copy");
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { mode: 0o700 });
  for (const name of FILES) copyFileSync(join(folder, name), join(copy, name));
  return copy;
}

async function look(world: World, files: Left, { readOnly }: { readonly readOnly: boolean }) {
  const folder = join(world.memory, "look");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  for (const name of FILES) if (files[name].length > 0) writeFileSync(join(folder, name), files[name]);
  return lookAt(folder, readOnly);
}

/** How many commits are there, if each state is right; "told" if the store is refused with a name; else what is wrong. */
async function lookAt(folder: string, readOnly: boolean): Promise<number | string> {
  try {
    const cairn = await openCairn({ path: folder, readOnly });
    try {
      const trail = cairn.trail<Work>("main", { initial: NO_WORK });
      const history = await trail.history();
      // By its name, because a writer may have moved the head meanwhile.
      const { state } = await trail.load(history[0]?.content_hash);
      const isRight = JSON.stringify(state) === JSON.stringify(workAt(history.length));
      return isRight ? history.length : `a wrong state at ${history.length}`;
    } finally {
      await cairn.close();
    }
  } catch (error) {
    return isCheckpointError(error) ? "told" : `unnamed: ${String(error)}`;
  }
}
