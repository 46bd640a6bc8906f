import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "../../src/core/redaction/redactor.ts";
import { importSession } from "../../src/capabilities/clients/archive/import-session.ts";
import { sessionAt } from "../../src/capabilities/clients/archive/recorded-sessions.ts";
import { explain as explainVerb, openProject } from "../../src/doors/library/project.ts";
import type { Project } from "../../src/work/project/project.ts";
import { atLeast, atMost, type Figure, info } from "../figure.ts";
import { replayCommits } from "../replayed-commits.ts";
import { recordedFiles, type RecordedFile } from "../recorded.ts";
import { REWRITES, Repository } from "../rewritten-history.ts";

export const explain: Figure = {
  name: "explain",
  title:
    "Commits of recorded sessions, replayed into a repository and rewritten: whether explain knows them again",
  measure: async ({ place, progress }) => {
    const files = recordedFiles();
    if (files === undefined)
      return [info("recorded sessions", "skipped", "none beside this checkout ($CAIRN_RECORDED)")];
    const root = place.newFastFolder();
    const repository = new Repository(root);
    const project = openProject({ path: root, env: repository.env });
    progress.step("importing recorded sessions");
    for (const file of files) await importOne(project, file);
    const commits = files.flatMap((file) =>
      replayCommits(file).map((commit) => ({ ...commit, session: file.id })),
    );
    const rows = [];
    const all = { found: 0, wrong: 0, asked: 0 };
    for (const [name, rewrite] of Object.entries(REWRITES)) {
      progress.step(`explaining commits after ${name}`);
      const rewritten = rewrite(repository, commits);
      const count = { found: 0, wrong: 0, asked: rewritten.length };
      for (const { hash, session } of rewritten) {
        const { sources } = await explainVerb(project, { what: hash });
        const isOwn = (trail: string | undefined) => trail === `session/${session}`;
        if (session !== undefined && isOwn(sources[0]?.trail)) count.found++;
        if (sources.some(({ certainty, trail }) => certainty === "certain" && !isOwn(trail))) count.wrong++;
      }
      rows.push(
        info(
          `found after ${name}`,
          `${count.found} of ${count.asked}`,
          `${count.wrong} wrongly called certain`,
        ),
      );
      all.wrong += count.wrong;
      if (name === "a copy by hand") continue;
      all.found += count.found;
      all.asked += count.asked;
    }
    await project.stores.close();
    return [
      ...rows,
      atLeast(
        "commits that explain finds",
        all.found / all.asked,
        { must: 0.95, digits: 3 },
        `${all.found} of ${all.asked}`,
      ),
      atMost("wrongly called certain", all.wrong, { must: 0 }, "of these, and of copies that a person made"),
    ];
  },
};

/** As `checkpoint import claude` does, with the recorded project's folder replaced by this one. */
async function importOne(project: Project, { id, lines }: RecordedFile): Promise<void> {
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
