import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "../src/core/redaction/redactor.ts";
import { importSession } from "../src/capabilities/clients/archive/import-session.ts";
import { sessionAt } from "../src/capabilities/clients/archive/recorded-sessions.ts";
import type { Project } from "../src/work/project/project.ts";
import type { RecordedFile } from "./recorded.ts";

/** As `checkpoint import claude` does, with the recorded project's folder replaced by this one. */
export async function importRecorded(project: Project, { id, lines }: RecordedFile): Promise<void> {
  const folder = join(project.root, ".cairn-transcripts");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  writeFileSync(
    path,
    `${lines.map((line) => JSON.stringify(relocated(JSON.parse(line), project.root))).join("\n")}\n`,
  );
  const session = await sessionAt("claude", path);
  if (session === undefined) throw new Error(`${id} is no session.`);
  const cairn = await project.stores.open(project, "create");
  await importSession(session, { cairn, redactor: createRedactor(), root: project.root });
}

function relocated(line: { readonly cwd?: string }, root: string): unknown {
  const { cwd } = line;
  if (cwd === undefined) return line;
  return JSON.parse(JSON.stringify(line).replaceAll(cwd, root)) as unknown;
}
