// Flips one bit of a store after the other, and asks each damaged copy everything:
// node flipper.mjs <good file> <truth.json> <scratch folder> <lane> <lanes> <flips in all> <seed>
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCairn, type Cairn } from "../../../src/doors/library/index.ts";
import { integer, randomFrom } from "../support/random.ts";
import { ask } from "./questions.ts";
import { failureOf, say } from "./say.ts";

/** What one flip led to. `place` is the byte and the bit, to flip it again. */
export interface Flip {
  readonly place: string;
  /** How many answers were right, and how many were a named error or an entry that is marked as damaged. */
  readonly right: number;
  readonly named: number;
  /** Questions whose answer was that there is no such thing, although there is. */
  readonly denied: readonly string[];
  /** Lists of trails or checkpoints that lack entries, or have too many, or another order: an index is damaged. */
  readonly misled: readonly string[];
  /** Answers that were none of these: each is a lie or a bug. */
  readonly wrong: readonly string[];
  /** What `verify` reported, if anything was not as before. Empty when it found nothing. */
  readonly verified: readonly string[] | null;
  /** Checkpoints that `verify` did not count as lost, although they cannot be loaded. */
  readonly unlisted: readonly string[];
  readonly milliseconds: number;
}

export interface Truth {
  readonly ids: readonly string[];
  readonly answers: readonly (readonly [string, string])[];
}

const [file = "", truthFile = "", scratch = "", lane, lanes, count, seed] = process.argv.slice(2);
const good = readFileSync(file);
const truth = JSON.parse(readFileSync(truthFile, "utf8")) as Truth;
const told = new Map(truth.answers);
const entries = new Set(
  [...told].flatMap(([question, answer]) => (question.startsWith("history") ? itemsOf(answer) : [])),
);
for (let index = Number(lane); index < Number(count); index += Number(lanes)) {
  const random = randomFrom(Number(seed) + index);
  // One flip in each stretch of the file, so that no page and no table is left out.
  const stretch = good.length / Number(count);
  const at = Math.min(good.length - 1, Math.floor((index + random()) * stretch));
  say(await flip(at, integer(random, 0, 7), index));
}

async function flip(at: number, bit: number, index: number): Promise<Flip> {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch);
  const bad = Buffer.from(good);
  bad[at] = (bad[at] as number) ^ (1 << bit);
  writeFileSync(join(scratch, "store.sqlite"), bad);
  const started = performance.now();
  const place = `${at}.${bit}`;
  // Half of them as a reader, half as a writer would open them.
  const opened = await openCairn({ path: scratch, readOnly: index % 2 === 0 }).catch(failureOf);
  if ("code" in opened) {
    const wrong = opened.code === null ? [`open: ${opened.message}`] : [];
    const nothing = { right: 0, named: 1, denied: [], misled: [], unlisted: [], milliseconds: 0 };
    return { place, ...nothing, wrong, verified: [opened.message] };
  }
  const outcome = await question(opened, index);
  await opened.close();
  return { place, ...outcome, milliseconds: Math.round(performance.now() - started) };
}

async function question(cairn: Cairn, index: number) {
  const { ids } = truth;
  const loads = Array.from({ length: 2 }, (_, step) => ids[(index * 2 + step) % ids.length] as string);
  const outcome = {
    right: 0,
    named: 0,
    denied: [] as string[],
    misled: [] as string[],
    wrong: [] as string[],
  };
  const answers = await ask(cairn, { ids, loads });
  for (const [asked, answer] of answers) {
    const verdict = judge(asked, answer);
    if (verdict === "right" || verdict === "named") outcome[verdict]++;
    else outcome[verdict].push(`${asked}: ${answer.slice(0, 400)}`);
  }
  if (outcome.right === answers.size) return { ...outcome, verified: null, unlisted: [] };
  const lost = ids.filter((id) => answers.get(`state ${id}`) !== told.get(`state ${id}`));
  return { ...outcome, ...(await verify(cairn, lost)) };
}

type Verdict = "right" | "named" | "denied" | "misled" | "wrong";

function judge(question: string, answer: string): Verdict {
  const truth = told.get(question) as string;
  if (answer === truth) return "right";
  if (answer === "!not-found") return "denied";
  if (answer.startsWith("!")) return "named";
  if (question === "trails") return "misled";
  if (!question.startsWith("history")) return "wrong";
  const [found, wanted] = [itemsOf(answer), itemsOf(truth)];
  // Whatever a list shows must be a checkpoint of this store as it was committed, or be marked as damaged.
  if (!found.every((item) => item === "damaged" || entries.has(item))) return "wrong";
  const isWhole =
    found.length === wanted.length && found.every((item, at) => item === "damaged" || item === wanted[at]);
  return isWhole ? "named" : "misled";
}

function itemsOf(list: string): string[] {
  return list.slice(1).split(",").filter(Boolean);
}

async function verify(cairn: Cairn, lost: readonly string[]) {
  try {
    const { damage } = await cairn.verify();
    const isExact = damage.every(({ kind }) => kind === "damaged" || kind === "missing");
    const counted = new Set(damage.flatMap(({ costs }) => costs) as string[]);
    const unlisted = isExact ? lost.filter((id) => !counted.has(id)) : [];
    return { verified: damage.map(({ kind, what }) => `${kind}: ${what}`), unlisted };
  } catch (error) {
    const { code, message } = failureOf(error);
    return { verified: [`threw ${code ?? "a bug"}: ${message}`], unlisted: [] };
  }
}
