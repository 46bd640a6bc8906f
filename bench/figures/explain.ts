import { explain as explainVerb, openProject } from "../../src/doors/library/project.ts";
import { atLeast, atMost, type Figure, info } from "../figure.ts";
import { replayCommits } from "../replayed-commits.ts";
import { importRecorded } from "../import-recorded.ts";
import { recordedFiles } from "../recorded.ts";
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
    for (const file of files) await importRecorded(project, file);
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
