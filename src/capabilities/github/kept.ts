import { own } from "../../core/text/untrusted.ts";
import { readRecords, writeRecords } from "../../work/project/feed/records.ts";
import type { Project } from "../../work/project/project.ts";

/** What is known of a run on GitHub. It can be found again there, so that losing it makes no second one. */
export interface KnownRun {
  readonly sha: string;
  readonly check?: number;
  readonly comment?: number;
}

const BOOK = "integrations-github";

async function readKept(project: Project, key: string): Promise<string | undefined> {
  const { store } = await project.stores.open(project, "write", null);
  return (await readRecords(store, BOOK)).get(key);
}

async function writeKept(project: Project, key: string, value: string | null): Promise<void> {
  const { store } = await project.stores.open(project, "write", null);
  await writeRecords(store, BOOK, { records: { [key]: value }, now: project.now() });
}

export async function readKnown(project: Project, run: string): Promise<KnownRun | undefined> {
  const text = await readKept(project, `run/${run}`);
  return text === undefined ? undefined : (JSON.parse(text) as KnownRun);
}

export const writeKnown = (project: Project, run: string, known: KnownRun | null): Promise<void> =>
  writeKept(project, `run/${run}`, known && JSON.stringify(known));

/** Up to when comments were fetched. */
export const readPolled = (project: Project): Promise<string | undefined> => readKept(project, "polled");

export const writePolled = (project: Project, polled: string): Promise<void> =>
  writeKept(project, "polled", polled);

export const idOf = (body: unknown): number => Number(own(body, "id"));
