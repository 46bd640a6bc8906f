import { CheckpointError } from "../../core/errors.ts";
import type { FeedEvent } from "../../work/project/feed/feed-event.ts";
import { readRecords, writeRecords } from "../../work/project/feed/records.ts";
import type { Project } from "../../work/project/project.ts";

/** An event that did not arrive, and is not tried again by itself. */
export interface DeadLetter {
  readonly outlet: string;
  readonly reason: string;
  readonly attempts: number;
  readonly event: FeedEvent;
}

const BOOK = "integrations-dead";
const MOST = 1000;

const keyOf = ({ outlet, event }: DeadLetter) => `${outlet}/${event.id}`;

/** Durable before it resolves. With too many of them an outlet stops, rather than that any is lost. */
export async function keepDead(project: Project, letters: readonly DeadLetter[]): Promise<void> {
  const { store } = await project.stores.open(project, "write", null);
  const kept = await readRecords(store, BOOK);
  if (kept.size + letters.length > MOST)
    throw new CheckpointError("failed", `${kept.size} events did not arrive.`, {
      hint: "Fix the other side, then: checkpoint integrations resend",
      details: { kind: "stops" },
    });
  const records = Object.fromEntries(letters.map((letter) => [keyOf(letter), JSON.stringify(letter)]));
  await writeRecords(store, BOOK, { records, now: project.now() });
}

export async function readDead(project: Project): Promise<DeadLetter[]> {
  const { store } = await project.stores.open(project, "read", null);
  const letters = [...(await readRecords(store, BOOK)).values()].map(
    (text) => JSON.parse(text) as DeadLetter,
  );
  return letters.toSorted((one, other) => one.event.at.localeCompare(other.event.at));
}

export async function dropDead(project: Project, letter: DeadLetter): Promise<void> {
  const { store } = await project.stores.open(project, "write", null);
  await writeRecords(store, BOOK, { records: { [keyOf(letter)]: null }, now: project.now() });
}
