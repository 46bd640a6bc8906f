import { setTimeout as delay } from "node:timers/promises";
import { oneLine, visible } from "../../../core/text/visible.ts";
import type { Output } from "../../../work/terminal/output.ts";
import type { AttemptLog, RunsElsewhere } from "../elsewhere.ts";
import type { Run } from "../run/run-state.ts";

/** How often the store is asked: workers put news there every other second. */
const LOOK_MS = 1000;
/** Enough to find where the last look ended, in a tail whose beginning has moved on. */
const OVERLAP = 400;

interface FollowedTails {
  readonly workers: RunsElsewhere;
  readonly id: string;
  /** Only these. */
  readonly step: string | undefined;
  readonly attempt: number | undefined;
}

/** Prints what the steps of a run print at workers, until its states end: what is there, and then what comes. */
export async function followTails(
  states: AsyncIterable<Run>,
  source: FollowedTails,
  output: Output,
): Promise<void> {
  const { workers, id, step, attempt } = source;
  const seen = new Map<string, AttemptLog>();
  let last = "";
  const look = async () => {
    for (const log of await workers.readLogs(id, [...seen.values()])) {
      const isOther = (step ?? log.step) !== log.step || (attempt ?? log.attempt) !== log.attempt;
      if (isOther) continue;
      const name = `${oneLine(log.step)}, attempt ${log.attempt}`;
      const news = newsIn(seen.get(name)?.tail ?? "", log.tail);
      seen.set(name, log);
      if (news === "") continue;
      if (step === undefined && name !== last) output.raw(`${output.style.bold(`==> ${name} <==`)}\n`);
      last = name;
      output.raw(output.columns === undefined ? news : visible(news));
    }
  };
  const over = new AbortController();
  const { signal } = over;
  const looking = (async () => {
    while (!signal.aborted) {
      await look();
      await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  })();
  try {
    for await (const _ of states);
  } finally {
    over.abort();
    await looking;
  }
  await look();
}

/** What a tail has beyond the one before. Where too much came in between, a line says that some is missing. */
export function newsIn(before: string, now: string): string {
  if (now.startsWith(before)) return now.slice(before.length);
  const end = before.slice(-OVERLAP);
  const at = now.lastIndexOf(end);
  return at < 0 ? `[…]\n${now}` : now.slice(at + end.length);
}
