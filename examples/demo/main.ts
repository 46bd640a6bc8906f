// npm start: a short tour of the store at work, in a temporary folder. Every number is measured in this run.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cairn, Trail, WorkState } from "../../src/index.ts";
import { runAndKill, type Acknowledgement } from "./killed-writer.ts";
import { openCairn } from "./library.ts";
import { bad, bold, chapter, dim, fact, good, milliseconds, short, size, tell } from "./narrate.ts";
import { FIRST_STEPS } from "./work.ts";

const isKept = process.argv.includes("--keep");
const folder = mkdtempSync(join(tmpdir(), "cairn-demo-"));
const path = join(folder, ".cairn");
process.on("exit", () => {
  if (!isKept) rmSync(folder, { recursive: true, force: true });
});
process.on("SIGINT", () => process.exit(130));

console.log(`${bold("Cairn")}: agent work that survives. The store is in ${path}`);
await save();
const said = await killWriter();
const cairn = await openCairn({ path });
const trail = cairn.trail("main");
const bytes = await look(trail, said);
await travel(trail);
await check(cairn);
await cairn.close();
weigh(bytes);
farewell();

async function save(): Promise<void> {
  chapter("Save an agent's work");
  const first = await openCairn({ path });
  for (const [notes, change] of FIRST_STEPS) {
    const { checkpoint_id } = await first.trail("main").commit(change, { notes });
    tell(`${checkpoint_id}  ${dim(notes)}`);
  }
  await first.close();
}

async function killWriter(): Promise<Acknowledgement[]> {
  chapter("Kill a writer in the middle");
  tell("Another process saves after every tool call, as fast as it can …");
  const heard = await runAndKill(path);
  const times = heard.map((ack) => ack.milliseconds).toSorted((left, right) => left - right);
  fact("kill -9 after", `${heard.length} times "saved"`);
  fact("saving took (median, on this disk)", milliseconds(times[Math.floor(times.length / 2)] ?? 0));
  return heard;
}

/** Loads every checkpoint; returns how many bytes their whole states have together. */
async function look(main: Trail<WorkState>, heard: readonly Acknowledgement[]): Promise<number> {
  chapter("Open the store again");
  const history = await main.history();
  let total = 0;
  const found = new Set<string>();
  for (const { content_hash } of history) {
    total += JSON.stringify((await main.load(content_hash)).state).length;
    found.add(content_hash);
  }
  const there = heard.filter(({ content_hash }) => found.has(content_hash)).length;
  const lost = heard.length - there;
  const unsaid = history.length - FIRST_STEPS.length - there;
  fact("acknowledged before the kill", String(heard.length));
  fact("found and loaded, hashes checked", lost === 0 ? good(String(there)) : bad(String(there)));
  fact("lost", lost === 0 ? good("0") : bad(String(lost)));
  if (unsaid > 0) fact("durable, but killed before saying so", String(unsaid));
  if (lost > 0) process.exitCode = 1;
  return total;
}

async function travel(main: Trail<WorkState>): Promise<void> {
  chapter("See what changed, go back, try something else");
  const { changes, objectsRead } = await main.diff();
  fact("the last change", `${changes.length} places, ${objectsRead} objects read to find them`);
  for (const change of changes.slice(0, 3)) tell(`  ${change.kind.padEnd(8)} ${change.path.join(".")}`);
  const before = (await main.load()).state.next_action;
  await main.undo();
  const after = (await main.load()).state.next_action;
  fact("undo: next action was", short(before, 40));
  fact("      and is again", short(after, 40));
  const { objects } = await cairn.verify();
  const trial = await main.fork("trial");
  await trial.commit((state) => void (state.variables["database"] = "keys"), { notes: "what if" });
  const added = (await cairn.verify()).objects - objects;
  fact('fork "trial", and one change there', `${added} new objects, ${objects} shared`);
  fact("main still says", short((await main.load()).state.variables["database"]));
}

async function check(open: Cairn): Promise<void> {
  chapter("Check every byte");
  const { objects, checkpoints, trails, damage } = await open.verify();
  fact("verified", `${objects} objects, ${checkpoints} checkpoints, ${trails} trails`);
  fact("damage", damage.length === 0 ? good("none") : bad(String(damage.length)));
  if (damage.length > 0) process.exitCode = 1;
}

function weigh(wholeBytes: number): void {
  chapter("Weigh it");
  const stored = bytesIn(path);
  fact("the whole state, saved at every step", size(wholeBytes));
  fact(
    "this store, with all of them",
    `${size(stored)}, ${good(`${(wholeBytes / stored).toFixed(0)} times less`)}`,
  );
}

function farewell(): void {
  const command = `node ${join(import.meta.dirname, "../../bin/checkpoint.js")}`;
  console.log(`\n${bold("Next")}`);
  if (isKept) tell(`cd ${folder}`);
  if (isKept) for (const name of ["log", "diff", "summary", "verify"]) tell(`${command} ${name}`);
  else tell("npm start -- --keep   the same, but the store stays, to look around in it");
  tell("npm test              every check, kill -9 at system calls among them");
  tell("npm run bench         how small and how fast, next to what people do today");
  tell("README.md             how to use it in a program");
  tell("docs/reliability.md   what was broken on purpose, and what happened");
  console.log(dim(`\nThe store was ${path}${isKept ? ", and still is." : "; it is removed now."}`));
}

function bytesIn(place: string): number {
  return readdirSync(place).reduce((sum, name) => sum + statSync(join(place, name)).size, 0);
}
