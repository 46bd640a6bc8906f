import { join } from "node:path";
import { expect, it } from "vitest";
import { openBook, watchBugs } from "../../src/capabilities/bugs/watch.ts";
import type { Project } from "../../src/work/project/project.ts";
import { emptyActivity } from "../../src/work/state/activity.ts";
import { start } from "../faults/support/child.ts";
import { useFolders } from "../faults/support/folders.ts";
import { bundleFile } from "../faults/support/program.ts";
import { report, scaled, TIMEOUT_MS } from "../faults/support/scale.ts";
import { useProjects } from "../feed/support/project.ts";

type Told = { readonly started: true } | { readonly saved: number };

const KILLS = scaled(6, 200);
const TESTS = 7;

const makeProject = useProjects();
const folders = useFolders();

it(
  "misses no failure and counts none twice though the watcher is killed",
  async () => {
    const project = makeProject();
    const program = bundleFile(join(import.meta.dirname, "programs/watcher.ts"), folders.onDisk());
    let failures = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await fail(project, failures++);
      const watcher = start<Told>(program, [project.root]);
      // Now as soon as it begins, now once it has saved something, now while more comes.
      if (kill % 3 > 0) await watcher.heard((said) => "saved" in said);
      else await watcher.heard((said) => "started" in said);
      if (kill % 3 === 2) await fail(project, failures++);
      watcher.kill();
      await watcher.ended();
    }
    const book = await watchBugs(project);
    expect(book.bugs.length).toBe(TESTS);
    expect(book.bugs.reduce((sum, { times }) => sum + times, 0)).toBe(failures);
    const { state: saved } = await openBook(await project.stores.open(project, "read"));
    expect(saved.bugs).toEqual(book.bugs);
    report(`${KILLS} kills: ${failures} failures, each counted once`, "the watcher of failures is killed");
  },
  TIMEOUT_MS,
);

/** A session's check fails, one second after the last one did. */
async function fail(project: Project, index: number): Promise<void> {
  const cairn = await project.stores.open(project, "create");
  const at = new Date(Date.UTC(2026, 10, 15, 10, 0, index)).toISOString();
  const lines = [`--- FAIL: Test${index % TESTS} (0.0${index % 10}s)`];
  await cairn.trail("session/s").commit((state) => {
    const activity = (state.activity ??= emptyActivity());
    activity.results = [{ command: "go test ./...", check: "go test ./...", ok: false, at, lines }];
  });
}
