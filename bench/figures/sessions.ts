import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { atLeast, atMost, type Figure, info, type Row } from "../figure.ts";
import { startChild } from "../children.ts";
import type { ReadingCost } from "../transcript-reader.ts";

/** Recorded sessions and the program that replays them are kept beside the checkout, never in it. */
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SHARED = process.env["CAIRN_RECORDED"] ?? join(ROOT, "../shared");
const SESSIONS = join(SHARED, "sessions");
const REPLAY = join(SHARED, "tools/replay-sessions.mjs");

export const sessions: Figure = {
  name: "sessions",
  title: "Briefings of recorded sessions, replayed up to where the client compacted, against what came next",
  measure: async ({ place, progress }) => {
    if (!existsSync(REPLAY) || !existsSync(SESSIONS)) {
      console.error(`bench: SKIPPED: there are no recorded sessions in "${SHARED}" ($CAIRN_RECORDED).`);
      return [info("recorded sessions", "skipped", "none beside this checkout ($CAIRN_RECORDED)")];
    }
    progress.step("replaying recorded sessions");
    const whole = await replay();
    const nameless = await replay("--without", "names");
    const short = await replay("--chars", "4000");
    progress.step("reading transcripts");
    const reading = await readingCost(place.newFolder());
    return [
      ...scores("9,500 characters", whole.ours, {
        "next-edited": { must: 0.98, aim: 1 },
        modified: { must: 0.99, aim: 1 },
        "names-next": { must: 0.42, aim: 0.5 },
        "last-prompt": { must: 0.99 },
        prompts: { must: 0.975 },
        failing: { must: 0.93, aim: 0.97 },
      }),
      ...scores("without the list of names", nameless.ours, { "names-next": { must: 0.32, aim: 0.36 } }),
      ...scores("4,000 characters", short.ours, {
        "next-edited": { must: 0.92, aim: 0.97 },
        "names-next": { must: 0.3, aim: 0.35 },
        failing: { must: 0.75, aim: 0.85 },
      }),
      ...Object.entries(whole.client).map(([name, value]) =>
        info(`the client's own summary: ${name}`, `${value}`, "the same moments"),
      ),
      reading,
    ];
  },
};

type Scores = Readonly<Record<string, number>>;

/** The scores that the replay prints: a head, then a line for each text. */
async function replay(...options: readonly string[]): Promise<{ ours: Scores; client: Scores }> {
  const child = spawn(process.execPath, [REPLAY, SESSIONS, ...options], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (status !== 0) throw new Error(`The replay ended with status ${status}.`);
  const lines = output.split("\n").map((line) => line.trim().split(/\s+/));
  const names = lines.find(([first]) => first === "text")?.slice(1) ?? [];
  const of = (who: string): Scores => {
    const values = lines.find(([first]) => first === who)?.slice(1) ?? [];
    return Object.fromEntries(names.map((name, index) => [name, Number(values[index])]));
  };
  return { ours: of("ours"), client: of("client") };
}

function scores(
  how: string,
  measured: Scores,
  bounds: Readonly<Record<string, { must: number; aim?: number }>>,
): Row[] {
  return Object.entries(bounds).map(([name, bound]) =>
    atLeast(
      `${name}, ${how}`,
      measured[name] ?? Number.NaN,
      { ...bound, digits: 3 },
      `${measured["chars"]} characters on average`,
    ),
  );
}

/** What reading and reducing whole transcripts costs, relative to `JSON.parse` of their lines. */
async function readingCost(folder: string): Promise<Row> {
  const child = startChild("transcript-reader.ts", [SESSIONS, folder]);
  const { reading, parsing, transcripts } = await child.next<ReadingCost>();
  await child.end();
  const from = `${(reading / 1e3).toFixed(0)} ms CPU to ${(parsing / 1e3).toFixed(0)} ms, ${transcripts} transcripts`;
  return atMost(
    "reading a transcript / JSON.parse of its lines",
    reading / parsing,
    { must: 4, aim: 3 },
    from,
  );
}
