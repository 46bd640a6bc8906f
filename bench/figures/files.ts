import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Project } from "../../src/work/project/project.ts";
import type * as Verbs from "../../src/doors/library/project.ts";
import type { Snapshots } from "../../src/work/project/snapshots.ts";
import { atMost, type Bench, type Figure, type Row } from "../figure.ts";
import { bytesIn } from "../folders.ts";
import { Samples } from "../measure.ts";
import { bytes, timeAndCpu } from "../units.ts";

interface LookNow {
  readonly lookNow: (project: Project) => Promise<unknown>;
}

// The build, because what is measured must be what ships.
const built = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href;

const ROUNDS = 15;
const EDITS = 1000;
const SIZES = [10_000, 50_000];
const EDITED_FILES = 100;

/** A project with git, the same with a shadow repository beside it, and what each does in turn. */
interface Scene {
  readonly project: Project;
  readonly keep: () => Promise<unknown>;
  /** The same look, and nothing is stored. */
  readonly look: () => Promise<unknown>;
  readonly git: (...args: readonly string[]) => Promise<unknown>;
  /** `add -A` and `commit` into a repository of its own, as other tools keep snapshots. */
  readonly shadow: () => Promise<unknown>;
  readonly shadowFolder: string;
  readonly verbs: typeof Verbs;
}

export const files: Figure = {
  name: "files",
  title:
    "Keeping a project's files: a look and a snapshot, over git status and over a shadow repository, in turn",
  measure: async (bench) => {
    const rows: Row[] = [];
    for (const size of SIZES) rows.push(...(await repository(bench, size)));
    return [...rows, ...(await edits(bench))];
  },
};

const STATUS = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"];

async function repository(bench: Bench, count: number): Promise<Row[]> {
  bench.progress.step(`files: ${count}`);
  const scene = await openScene(bench);
  const { root } = scene.project;
  const nameOf = (at: number) => join(root, `src/${at % 100}/${at % 7}/file-${at}.ts`);
  const contentOf = (at: number) => `export const value${at} = ${at};\n`.repeat(40 + (at % 400));
  for (let at = 0; at < count; at++) writeWhole(nameOf(at), contentOf(at));
  await scene.git("add", "-A");
  await scene.git("commit", "-qm", "first");
  await pause();
  const first = { status: new Samples(), keep: new Samples(), shadow: new Samples() };
  rmSync(join(root, ".git/index"));
  await first.status.time(async () => {
    await scene.git("read-tree", "HEAD");
    await scene.git(...STATUS);
  });
  await first.keep.time(scene.keep);
  await first.shadow.time(scene.shadow);
  const about = `${count / 1000},000 files`;
  const rows = [
    atMost(
      `first snapshot, ${about} / git status with a fresh index`,
      first.keep.p50 / first.status.p50,
      { must: 5, aim: 2 },
      `once: ${words(first)}`,
    ),
  ];
  for (const [changed, bounds] of [
    [10, { must: 1.3, aim: 1.1 }],
    [500, { must: 3, aim: 2 }],
  ] as const) {
    const samples = { status: new Samples(), keep: new Samples(), shadow: new Samples() };
    for (let round = 0; round < ROUNDS; round++) {
      for (let at = 0; at < changed; at++)
        writeWhole(nameOf(at * 17), `${contentOf(at * 17)}// ${round} ${changed}\n`);
      await samples.status.time(() => scene.git(...STATUS));
      await samples.keep.time(scene.keep);
      if (round < 5) await samples.shadow.time(scene.shadow);
    }
    const ratio = samples.keep.p50 / samples.status.p50;
    rows.push(
      atMost(`look and snapshot, ${changed} of ${about} changed / git status`, ratio, bounds, words(samples)),
    );
  }
  rows.push(await restore(scene, nameOf));
  await scene.project.stores.close();
  bench.place.remove(dirname(root));
  return rows;
}

const words = ({ status, keep, shadow }: Record<"status" | "keep" | "shadow", Samples>) =>
  `git status ${timeAndCpu(status)}, ours ${timeAndCpu(keep)}, a shadow repository ${timeAndCpu(shadow)} (${(shadow.p50 / status.p50).toFixed(1)})`;

/** 500 files are as another commit has them; both bring the same ones back. */
async function restore(scene: Scene, nameOf: (at: number) => string): Promise<Row> {
  const { project, verbs, git } = scene;
  await git("checkout", "-q", "--", ".");
  await verbs.now(project, { files: true });
  const [moment] = (await verbs.filesLog(project, { limit: 1 })).moments;
  const change = (round: number) => {
    for (let at = 0; at < 500; at++) writeFileSync(nameOf(at * 17), `changed ${round} ${at}\n`.repeat(99));
  };
  const [ours, theirs] = [new Samples(), new Samples()];
  for (let round = 0; round < 5; round++) {
    change(round);
    await theirs.time(() => git("checkout", "-q", "--", "."));
    change(round + 100);
    const { restored } = await ours.time(() => verbs.rewind(project, { id: moment?.checkpoint_id ?? "" }));
    if (restored.length !== 500) throw new Error(`${restored.length} files came back, not 500.`);
  }
  return atMost(
    "restore of 500 files / git checkout of the same",
    ours.p50 / theirs.p50,
    { must: 2, aim: 1.2 },
    `ours ${timeAndCpu(ours)}, with a snapshot before and after; git ${timeAndCpu(theirs)}`,
  );
}

/** One line of one file at a time, each followed by a snapshot. */
async function edits(bench: Bench): Promise<Row[]> {
  bench.progress.step("files: edits");
  const scene = await openScene(bench);
  const { root, folder } = scene.project;
  const { text } = bench.corpus;
  let at = 0;
  const names = Array.from({ length: EDITED_FILES }, (_, file) => {
    const size = Math.round(1000 + 499_000 * (file / EDITED_FILES) ** 4);
    const part = text.slice(at, at + size);
    at = (at + size) % (text.length - 500_000);
    writeWhole(join(root, `file-${file}.txt`), part);
    return join(root, `file-${file}.txt`);
  });
  const whole = names.reduce((sum, name) => sum + readFileSync(name).length, 0);
  await scene.git("add", "-A");
  await scene.git("commit", "-qm", "first");
  await scene.keep();
  await scene.shadow();
  const before = [bytesIn(folder), bytesIn(scene.shadowFolder)] as const;
  const samples = { status: new Samples(), keep: new Samples(), shadow: new Samples() };
  const looks = new Samples();
  for (let edit = 0; edit < EDITS; edit++) {
    const name = names[(edit * 37) % EDITED_FILES] as string;
    const lines = readFileSync(name, "utf8").split("\n");
    lines[(edit * 101) % lines.length] = `edit ${edit}`;
    writeFileSync(name, lines.join("\n"));
    await samples.status.time(() => scene.git(...STATUS));
    await looks.time(scene.look);
    await samples.keep.time(scene.keep);
    if (edit % 5 === 0) await samples.shadow.time(scene.shadow);
  }
  await scene.project.stores.close();
  const size = bytesIn(folder) - before[0];
  const shadowSize = bytesIn(scene.shadowFolder);
  const storing = samples.keep.p50 - looks.p50;
  const rows = [
    atMost(
      `on disk, ${EDITS} one-line edits of ${EDITED_FILES} files (${bytes(whole)})`,
      size / 1e6,
      { must: 3.5, aim: 3, unit: " MB" },
      `a shadow repository ${bytes(shadowSize)} with a fifth of the commits`,
    ),
    atMost(
      "storing an edit, the look apart / shadow repository",
      storing / samples.shadow.p50,
      { must: 0.1, aim: 0.05 },
      `a look alone, in two processes of git, ${timeAndCpu(looks)}; ${words(samples)}`,
    ),
  ];
  bench.place.remove(dirname(root));
  return rows;
}

async function openScene({ place }: Bench): Promise<Scene> {
  const verbs = (await import(built("doors/library/project.js"))) as typeof Verbs;
  const { keptFiles } = (await import(built("capabilities/files/kept-files.js"))) as { keptFiles: Snapshots };
  const { lookNow } = (await import(built("capabilities/files/moments/look-now.js"))) as LookNow;
  const base = place.newFolder();
  const root = join(base, "project");
  mkdirSync(root);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: base,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_SYSTEM: devNull,
    GIT_AUTHOR_NAME: "bench",
    GIT_AUTHOR_EMAIL: "bench@example.org",
    GIT_COMMITTER_NAME: "bench",
    GIT_COMMITTER_EMAIL: "bench@example.org",
  };
  const run = (args: readonly string[], more: Record<string, string> = {}) =>
    promisify(execFile)("git", args, { cwd: root, env: { ...env, ...more }, maxBuffer: 2 ** 28 });
  const shadowFolder = join(base, "shadow");
  const shadowEnv = { GIT_DIR: shadowFolder, GIT_WORK_TREE: root };
  const shadow = async () => {
    if (!existsSync(shadowFolder)) await run(["init", "-q", "--bare", shadowFolder]);
    await run(["-c", "core.bare=false", "add", "-A"], shadowEnv);
    await run(["-c", "core.bare=false", "commit", "-q", "--allow-empty", "-m", "x"], shadowEnv);
  };
  await run(["init", "-q", "-b", "main"]);
  writeFileSync(join(root, ".gitignore"), ".cairn/\n");
  const project = verbs.openProject({ path: root, env });
  const keep = () => keptFiles.take(project, { why: "manual" });
  const look = () => lookNow(project);
  return { project, keep, look, shadow, shadowFolder, verbs, git: (...args) => run(args) };
}

function writeWhole(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Files that are younger are read again by every look, git's included. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 2100));
