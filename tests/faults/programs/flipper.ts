// Flips one bit of a store after the other, and asks each damaged copy everything:
// node flipper.mjs <good file> <truth.json> <scratch folder> <lane> <lanes> <flips in all> <seed>
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCairn, type Cairn } from "../../../src/index.ts";
import { integer, randomFrom } from "../support/random.ts";
import { ask } from "./questions.ts";
import { failureOf, say } from "./say.ts";

/** What one flip led to. `place` is the byte and the bit, to flip it again. */
export interface Flip {
  readonly place: string;
  /** How many answers were right, and how many were a named error or an entry that is marked as damaged. */
  readonly right: number;
  readonly named: number;
  /** Answers that were neither: each is a lie or a bug. */
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
    return { place, right: 0, named: 1, wrong, verified: [opened.message], unlisted: [], milliseconds: 0 };
  }
  const outcome = await question(opened, index);
  await opened.close();
  return { place, ...outcome, milliseconds: Math.round(performance.now() - started) };
}

async function question(cairn: Cairn, index: number) {
  const { ids } = truth;
  const loads = Array.from({ length: 4 }, (_, step) => ids[(index * 4 + step) % ids.length] as string);
  const answers = await ask(cairn, { ids, loads });
  const told = new Map(truth.answers);
  const isRight = ([asked, answer]: readonly [string, string]) => answer === told.get(asked);
  const isNamed = ([asked, answer]: readonly [string, string]) =>
    answer.startsWith("!") || isMarked(answer, told.get(asked) ?? "");
  const others = [...answers].filter((entry) => !isRight(entry));
  const wrong = others.filter((entry) => !isNamed(entry)).map(([asked, answer]) => `${asked}: ${answer.slice(0, 300)}`);
  const right = answers.size - others.length;
  const named = others.length - wrong.length;
  if (others.length === 0) return { right, named, wrong, verified: null, unlisted: [] };
  const lost = ids.filter((id) => answers.get(`state ${id}`) !== told.get(`state ${id}`));
  return { right, named, wrong, ...(await verify(cairn, lost)) };
}

/** The same list, but for entries that are marked as damaged. */
function isMarked(answer: string, truth: string): boolean {
  const [found, wanted] = [answer.split(","), truth.split(",")];
  const fits = (entry: string, at: number) =>
    entry === wanted[at] || entry === `damaged/${wanted[at]?.split("/")[1]}`;
  return truth.includes("/") && found.length === wanted.length && found.every(fits);
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
