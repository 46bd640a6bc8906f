import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { search } from "../../src/doors/library/project.ts";
import { start } from "../faults/support/child.ts";
import { useFolders } from "../faults/support/folders.ts";
import { bundleFile } from "../faults/support/program.ts";
import { report, scaled, TIMEOUT_MS } from "../faults/support/scale.ts";
import { commitAll, useProjects } from "../feed/support/project.ts";

type Told = { readonly done: number } | { readonly hits: number };

const KILLS = scaled(12, 50);
const COMMITS = 60;

const makeProject = useProjects();
const folders = useFolders();

it(
  "finds everything after its rebuild was killed again and again",
  async () => {
    const project = makeProject();
    await commitAll(
      project,
      Array.from({ length: COMMITS }, (_, index) => `word${index} everywhere`),
    );
    const program = bundleFile(join(import.meta.dirname, "programs/rebuilder.ts"), folders.onDisk());
    let strikes = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      for (const ending of ["", "-wal", "-shm"])
        rmSync(join(project.folder, `search.sqlite${ending}`), { force: true });
      const child = start<Told>(program, [project.root]);
      // At another commit each time; the last ones are those that write.
      await child.heard((said) => "done" in said && said.done >= (kill * 7) % (COMMITS + 1));
      child.kill();
      const { messages } = await child.ended();
      if (!messages.some((said) => "hits" in said)) strikes++;
      const { hits } = await search(project, { words: ["everywhere"], limit: 100 });
      expect(hits).toHaveLength(COMMITS);
    }
    expect(strikes).toBeGreaterThan(KILLS / 2);
    report(
      `${strikes} of ${KILLS} rebuilds killed in the middle, 0 words lost`,
      "a rebuild of the index is killed",
    );
  },
  TIMEOUT_MS,
);
