import { setImmediate as loopTurn } from "node:timers/promises";

import { isCheckpointError } from "../../src/core/errors.ts";
import { integer, pick, randomFrom, type Random } from "../../tests/faults/support/random.ts";
import type { World } from "./part.ts";

/**
 * A parser, and inputs to begin with. It may refuse an input with an error that has a name, or by undefined; everything else
 * that it throws is a crash.
 */
export interface Target {
  readonly name: string;
  readonly seeds: readonly (string | Uint8Array)[];
  readonly parse: (input: Buffer) => unknown;
}

export interface FuzzResult {
  readonly accepted: number;
  readonly problems: readonly string[];
}

const SLOW_MS = 100;
const POOL = 300;

/** Pieces that parsers care about. */
const PIECES = [
  "{",
  "}",
  "[",
  "]",
  '"',
  "'",
  ":",
  ",",
  "\n",
  "\r\n",
  "\t",
  "---\n",
  "- ",
  "#",
  "&a",
  "*a",
  "!!js/function",
  "|",
  ">",
  "\\",
  "\\u0000",
  "\\ud800",
  "\0",
  "\u202e",
  "\ufeff",
  "__proto__",
  "constructor",
  "toJSON",
  "null",
  "true",
  "1e999",
  "-0",
  "9007199254740993",
  "../",
  "--",
  "-",
  "=",
  "a".repeat(300),
  "[".repeat(300),
  "((a+)+)+$",
  "%00",
  "\u001b[2J",
];

/** Feeds a parser with changed inputs. What it accepts joins the pool, so that later ones get deeper. */
export async function fuzz(world: World, { name, seeds, parse }: Target, count: number): Promise<FuzzResult> {
  const random = randomFrom(world.seed);
  const pool: Buffer[] = seeds.map((seed) => Buffer.from(seed));
  const problems: string[] = [];
  let accepted = 0;
  for (let done = 1; done <= count && problems.length < 5; done++) {
    const input = change(random, pick(random, pool), pool);
    const began = performance.now();
    const crash = await feed(parse, input);
    if (Object.keys(Object.prototype).length > 0)
      problems.push(`${name} changed the prototype of all objects`);
    if (performance.now() - began > SLOW_MS && (await isSlow(parse, input)))
      problems.push(
        `${name} takes more than ${SLOW_MS} ms: ${JSON.stringify(input.toString("latin1").slice(0, 300))}`,
      );
    if (typeof crash === "string")
      problems.push(`${name}: ${crash} for ${JSON.stringify(input.toString("latin1").slice(0, 300))}`);
    if (crash === undefined) accepted++;
    if (crash === undefined && random() < 0.02 && input.length < 20_000) {
      if (pool.length < POOL) pool.push(input);
      else pool[integer(random, seeds.length, POOL - 1)] = input;
    }
    if (done % 500 === 0) {
      world.progress(`${name}: ${done} inputs, ${accepted} accepted; ${problems.length} problems`);
      // So that Ctrl-C is heard.
      await loopTurn();
    }
  }
  return { accepted, problems };
}

/** Undefined if the input was accepted, true if it was refused, else what went wrong. */
async function feed(parse: Target["parse"], input: Buffer): Promise<string | true | undefined> {
  try {
    return (await parse(input)) === undefined ? true : undefined;
  } catch (error) {
    if (!isCheckpointError(error))
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return true;
  }
}

/** Three times more, by the processor's time: a busy machine is no hang. */
async function isSlow(parse: Target["parse"], input: Buffer): Promise<boolean> {
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage();
    await feed(parse, input);
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 <= SLOW_MS) return false;
  }
  return true;
}

function change(random: Random, input: Buffer, pool: readonly Buffer[]): Buffer {
  let bytes: Buffer = input;
  for (let left = integer(random, 1, 4); left > 0; left--) {
    const at = integer(random, 0, bytes.length);
    const end = Math.min(bytes.length, at + integer(random, 0, 40));
    const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    const other = pick(random, pool);
    const from = integer(random, 0, other.length);
    const ways: (() => Buffer)[] = [
      () => Buffer.concat([before, Buffer.from(pick(random, PIECES)), piece, after]),
      () => Buffer.concat([before, Buffer.from([integer(random, 0, 255)]), bytes.subarray(at + 1)]),
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, piece, piece, after]),
      () => Buffer.concat([before, other.subarray(from, from + 60), after]),
      () => before,
    ];
    bytes = pick(random, ways)();
  }
  return bytes.subarray(0, 64 * 1024);
}
