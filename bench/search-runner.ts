// Imports recorded sessions as the product does, indexes and searches them, in a process of its own:
//   node search-runner.ts <folder to work in> <file with questions>
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catchUp } from "../src/capabilities/search/index/catch-up.ts";
import { IndexFile, indexPath, removeIndex } from "../src/capabilities/search/index/index-file.ts";
import { openProject, search } from "../src/doors/library/project.ts";
import { recordedFiles } from "./recorded.ts";

/** What was measured. Times are CPU, in milliseconds. */
export interface SearchCost {
  readonly sessions: number;
  readonly pieces: number;
  readonly build: number;
  readonly parsing: number;
  readonly rawBytes: number;
  readonly indexBytes: number;
  readonly queries: number;
  readonly queryP50: number;
  readonly queryP99: number;
  /** The same on the clock. */
  readonly queryP99Time: number;
  readonly perEvent: number;
  readonly events: number;
  /** Undefined where there is no file with questions. */
  readonly questions?: Answers | undefined;
}

interface Answers {
  readonly asked: number;
  readonly answered: number;
  readonly missed: readonly string[];
  /** Answered by the text of the hit itself. */
  readonly inHit: number;
  /** Answered of the half on which the ranking was chosen, and of the other. */
  readonly chosenOn: number;
  readonly tested: number;
}

/** Words that were typed, the session that they are about, and what the right moment contains: a text or a pattern. */
interface Question {
  readonly question: string;
  readonly session: string;
  readonly expect: string;
}

const ROUNDS = 5;
const QUERIES = 300;
const EVENTS = 200;
const FIRST_HITS = 3;

const [folder = "", questionsFile = ""] = process.argv.slice(2);
const home = join(folder, "home");
const root = join(folder, "project");
const transcripts = join(home, ".claude/projects/-recorded");
for (const made of [transcripts, root]) mkdirSync(made, { recursive: true });
const files = recordedFiles() ?? [];
for (const file of files) writeFileSync(join(transcripts, `${file.id}.jsonl`), `${file.lines.join("\n")}\n`);
const lines = files.flatMap((file) => file.lines);
const rawBytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
const command = fileURLToPath(new URL("../bin/checkpoint.js", import.meta.url));
execFileSync(process.execPath, [command, "import", "claude", "--all"], { cwd: root, env: { HOME: home } });

const project = openProject({ path: root, env: { HOME: home } });
const { store } = await project.stores.open(project, "write");
const { id } = await store.identity();
const path = indexPath(project, id);

let [build, parsing] = [Infinity, Infinity];
for (let round = 0; round < ROUNDS; round++) {
  removeIndex(path);
  const file = IndexFile.open(path, id);
  parsing = Math.min(parsing, await cpuOf(async () => lines.forEach((line) => void JSON.parse(line))));
  build = Math.min(build, await cpuOf(async () => catchUp(project, file)));
  file.close();
}
const indexBytes = statSync(path).size;
const { searched: pieces } = await search(project, { words: ["anything"] });

const spent: number[] = [];
const passed: number[] = [];
for (const words of queriesFrom(lines)) {
  const started = performance.now();
  spent.push(await cpuOf(async () => search(project, { words: [words] })));
  passed.push(performance.now() - started);
}

const cairn = await project.stores.open(project, "write");
const trail = cairn.trail("session/bench");
const file = IndexFile.open(path, id);
for (let event = 0; event < EVENTS; event++) {
  const what = `Step ${event}: ${queriesFrom(lines)[event % QUERIES]}`;
  await trail.commit((state) => void state.decisions.push({ what, why: what }), {
    trigger: "hook:PostToolUse",
  });
}
const indexing = await cpuOf(async () => catchUp(project, file));
file.close();

const cost: SearchCost = {
  sessions: files.length,
  pieces,
  build,
  parsing,
  rawBytes,
  indexBytes,
  queries: spent.length,
  queryP50: quantile(spent, 0.5),
  queryP99: quantile(spent, 0.99),
  queryP99Time: quantile(passed, 0.99),
  perEvent: indexing / EVENTS,
  events: EVENTS,
  ...(existsSync(questionsFile) && { questions: await ask(questionsFile) }),
};
await project.stores.close();
console.log(JSON.stringify(cost));

/**
 * A question is answered where the command of one of the first hits, of the right session, prints what was expected: the hit,
 * or what was said around it. Where only the text of the hit itself counts, that is told apart. Weights and the like were
 * chosen on every other question, beginning with the first: the rest is the test.
 */
async function ask(from: string): Promise<Answers> {
  const asked = JSON.parse(readFileSync(from, "utf8")) as readonly Question[];
  const missed: string[] = [];
  const counts = { inHit: 0, chosenOn: 0, tested: 0 };
  for (const [index, { question, session, expect }] of asked.entries()) {
    const { hits } = await search(project, { words: [question], limit: FIRST_HITS });
    const answers = hits.filter((hit) => hit.session?.startsWith(session));
    const shown = await Promise.all(answers.map((hit) => search(project, { words: [hit.id] })));
    const isShown = shown.some((each) => [...each.hits, ...each.turn].some(({ text }) => isIn(expect, text)));
    if (shown.some((each) => each.hits.some(({ text }) => isIn(expect, text)))) counts.inHit++;
    if (!isShown) missed.push(question);
    else if (index % 2 === 0) counts.chosenOn++;
    else counts.tested++;
  }
  return { asked: asked.length, answered: asked.length - missed.length, missed, ...counts };
}

/** A text says what it contains, or is a pattern. */
function isIn(expected: string, text: string): boolean {
  if (text.toLowerCase().includes(expected.toLowerCase())) return true;
  const pattern = /^\/(?<inside>.*)\/[a-z]*$/s.exec(expected)?.groups?.["inside"] ?? expected;
  try {
    return new RegExp(pattern, "is").test(text);
  } catch {
    return false;
  }
}

/** Three to eight words in a row, from places all over the sessions. */
function queriesFrom(all: readonly string[]): string[] {
  const queries: string[] = [];
  for (let at = 0; queries.length < QUERIES; at++) {
    const words = all[(at * 7919) % all.length]?.match(/[A-Za-z_]{3,20}/g) ?? [];
    const from = (at * 31) % Math.max(1, words.length);
    const few = words.slice(from, from + 3 + (at % 6));
    if (few.length >= 3) queries.push(few.join(" "));
  }
  return queries;
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}
