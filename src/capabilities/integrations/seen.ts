import { asList, parseJson } from "../../core/text/untrusted.ts";
import { readRecords, writeRecords } from "../../work/project/feed/records.ts";
import type { Project } from "../../work/project/project.ts";

/** What came in and was dealt with, so that it is not dealt with again. */
const BOOK = "integrations-seen";
const MOST = 2000;

export async function wasSeen(project: Project, service: string, id: string): Promise<boolean> {
  return (await readSeen(project, service)).includes(id);
}

export async function noteSeen(project: Project, service: string, id: string): Promise<void> {
  const seen = [...(await readSeen(project, service)), id].slice(-MOST);
  const { store } = await project.stores.open(project, "write", null);
  await writeRecords(store, BOOK, { records: { [service]: JSON.stringify(seen) }, now: project.now() });
}

async function readSeen(project: Project, service: string): Promise<readonly unknown[]> {
  const { store } = await project.stores.open(project, "write", null);
  const text = (await readRecords(store, BOOK)).get(service);
  return text === undefined ? [] : asList(parseJson(text));
}
