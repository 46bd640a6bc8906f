import { asList, own, parseJson } from "../../core/text/untrusted.ts";
import { readRecords, writeRecords } from "../../work/project/feed/records.ts";
import type { Project } from "../../work/project/project.ts";

/** What is known of a run on GitHub. It can be found again there, so that losing it makes no second one. */
export interface KnownRun {
  readonly sha: string;
  readonly check?: number;
  readonly comment?: number;
}

const BOOK = "integrations-github";
/** Deliveries and comments that were dealt with. */
const MOST_SEEN = 2000;

const storeOf = async (project: Project) => (await project.stores.open(project, "write", null)).store;

export async function readKnown(project: Project, run: string): Promise<KnownRun | undefined> {
  const text = (await readRecords(await storeOf(project), BOOK)).get(`run/${run}`);
  return text === undefined ? undefined : (JSON.parse(text) as KnownRun);
}

export async function writeKnown(project: Project, run: string, known: KnownRun | null): Promise<void> {
  const records = { [`run/${run}`]: known && JSON.stringify(known) };
  await writeRecords(await storeOf(project), BOOK, { records, now: project.now() });
}

export async function wasSeen(project: Project, ids: readonly string[]): Promise<boolean> {
  const seen = new Set(await readList(project));
  return ids.some((id) => seen.has(id));
}

export async function noteSeen(project: Project, ids: readonly string[]): Promise<void> {
  const seen = [...(await readList(project)), ...ids].slice(-MOST_SEEN);
  await writeRecords(await storeOf(project), BOOK, {
    records: { seen: JSON.stringify(seen) },
    now: project.now(),
  });
}

async function readList(project: Project): Promise<string[]> {
  const text = (await readRecords(await storeOf(project), BOOK)).get("seen");
  return asList(text === undefined ? [] : parseJson(text)).map(String);
}

/** Up to when comments were fetched. */
export async function readPolled(project: Project): Promise<string | undefined> {
  return (await readRecords(await storeOf(project), BOOK)).get("polled");
}

export async function writePolled(project: Project, polled: string): Promise<void> {
  await writeRecords(await storeOf(project), BOOK, { records: { polled }, now: project.now() });
}

export const idOf = (body: unknown): number => Number(own(body, "id"));
