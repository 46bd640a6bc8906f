import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as loopTurn } from "node:timers/promises";

import { openCairn } from "../../src/doors/library/index.ts";
import { whyNoStrace, type Point } from "../../tests/faults/support/strace.ts";
import { atLeast, none, number, type Part } from "../support/part.ts";
import { SCENES, Stage, type Scene } from "../support/scenes.ts";

const CHANGING =
  "mkdir,openat,chmod,fchmod,write,pwrite64,ftruncate,fallocate,fsync,fdatasync,rename,unlink,rmdir,link";
const FAULTS = ["signal=KILL", "error=EIO", "error=ENOSPC"] as const;

/** How far it came: the next case of each scene, and what was found. */
interface Done {
  next: number;
  kills: number;
  errors: number;
  readonly problems: string[];
}

export const commands: Part = {
  name: "commands",
  about:
    "kills and I/O errors at every system call of first use, now, prune, run, approve, resume, import, upgrade, recovery",
  proves: [
    "src/core/objects",
    "src/core/store",
    "src/core/trails",
    "src/capabilities/workflow",
    "src/work/project",
    "src/doors/command",
  ],
  whyNot: () => whyNoStrace,
  run: async (world) => {
    const done = (world.recall() as Done | undefined) ?? { next: 0, kills: 0, errors: 0, problems: [] };
    let index = 0;
    for (const [turn, scene] of SCENES.entries()) {
      const stage = new Stage(join(world.memory, String(turn)), scene);
      const strace = recordingOf(stage, scene, join(world.folder, `${turn}.log`));
      const known = await checkpointsOf(stage);
      const points = world.isQuick ? strace.points.filter((_, at) => at % 25 === 0) : strace.points;
      for (const point of points)
        for (const fault of FAULTS) {
          if (index++ < done.next) continue;
          // Nothing here waits for anything, so Ctrl-C is heard only if the event loop gets its turn.
          await loopTurn();
          const problems = await strike(stage, scene, { strace, point, fault, known });
          done.problems.push(
            ...problems.map(
              (each) => `${scene.name}, ${fault} at ${point.name} ${point.ordinal} (${point.file}): ${each}`,
            ),
          );
          if (fault === "signal=KILL") done.kills++;
          else done.errors++;
          done.next = index;
          if (index % 20 === 0) world.keep(done);
          world.progress(
            `${scene.name}: ${done.kills} kills, ${done.errors} errors; ${done.problems.length} problems`,
          );
        }
    }
    none(done.problems, "something was lost, half done or unnamed");
    atLeast(world.isQuick ? 5 : 1000, done.kills, "kills");
    atLeast(world.isQuick ? 10 : 2000, done.errors, "I/O errors");
    const scenes = SCENES.map(({ name }) => name).join(", ");
    return [
      {
        fault: `\`kill -9\` at every system call that changes something: ${scenes}`,
        count: `${number(done.kills)} kills`,
        outcome: "0 lost, 0 damaged; the same command then succeeds, or says why not",
      },
      {
        fault: `\`EIO\` or \`ENOSPC\` at every such call: ${scenes}`,
        count: `${number(done.errors)} errors`,
        outcome: "0 lost, 0 damaged, 0 unnamed",
      },
    ];
  },
};

interface Recording {
  readonly command: readonly string[];
  readonly log: string;
  readonly points: readonly Point[];
}

/** Records a command twice: first to learn which files it changes, then to number the calls on these. */
function recordingOf(stage: Stage, { args, status, name }: Scene, log: string): Recording {
  const strace = ["strace", "-qq", "-y", "-s", "0", "-o", log, "-e", `trace=${CHANGING}`];
  const record = (more: readonly string[]) => {
    stage.reset();
    const ran = stage.run(args, [...strace, ...more]);
    if (ran.status !== status) throw new Error(`${name} ended with ${ran.status}: ${ran.stderr}`);
    return readFileSync(log, "utf8").split("\n");
  };
  // Names are cut to nothing by -s 0, so paths are taken from what the calls opened.
  const opened = record([]).flatMap((line) =>
    [...line.matchAll(/<(\/[^>]*)>/g)].map(([, path = ""]) => path),
  );
  const inProject = new Set(opened.filter((path) => path.startsWith(stage.project)));
  const folders = [stage.project, join(stage.project, ".cairn")];
  const paths = [...new Set([...folders, ...inProject])].flatMap((path) => ["-P", path]);
  const counts = new Map<string, number>();
  const points = record(paths).flatMap((line): Point[] => {
    const call = /^(\w+)\(/.exec(line)?.[1];
    if (call === undefined) return [];
    const ordinal = (counts.get(call) ?? 0) + 1;
    counts.set(call, ordinal);
    if (call === "openat" && !line.includes("O_CREAT")) return [];
    const file = /<(\/[^>]*)>/.exec(line)?.[1]?.slice(stage.project.length + 1) ?? "a name";
    return [{ name: call, ordinal, file }];
  });
  return { command: [...strace, ...paths], log, points };
}

async function checkpointsOf(stage: Stage): Promise<string[]> {
  stage.reset();
  if (!existsSync(join(stage.project, ".cairn/store.sqlite"))) return [];
  const cairn = await openCairn({ path: join(stage.project, ".cairn") });
  const found = await cairn.history();
  await cairn.close();
  return found.map(({ content_hash }) => content_hash);
}

interface Strike {
  readonly strace: Recording;
  readonly point: Point;
  readonly fault: (typeof FAULTS)[number];
  /** The checkpoints that were there before. */
  readonly known: readonly string[];
}

async function strike(
  stage: Stage,
  scene: Scene,
  { strace, point, fault, known }: Strike,
): Promise<string[]> {
  const inject = ["-e", `inject=${point.name}:${fault}:when=${point.ordinal}`];
  let ran: ReturnType<Stage["run"]> | undefined;
  // Random ids compress to more or fewer pages, so the last calls of a name are not made in every run.
  for (let tries = 0; ran === undefined && tries < 5; tries++) {
    stage.reset();
    const ended = stage.run(scene.args, [...strace.command, ...inject]);
    if (/\(INJECTED\)|killed by SIGKILL/.test(readFileSync(strace.log, "utf8"))) ran = ended;
  }
  if (ran === undefined) return ["the fault did not strike"];
  const { status, stdout, stderr } = ran;
  const problems: string[] = [];
  if (fault !== "signal=KILL") {
    if (status === null || status > 8) problems.push(`ended with ${status}: ${stderr.slice(0, 200)}`);
    if (/bug in Cairn|at .*\.cjs:\d+/.test(stderr)) problems.push(`unnamed: ${stderr.slice(0, 300)}`);
  }
  problems.push(...(await aftermath(stage, known)), ...notKept(stage, scene, { status, stdout }));
  const again = stage.run(scene.args);
  if (!scene.again.includes(again.status ?? -1) && again.status !== scene.status)
    problems.push(`repeated, it ended with ${again.status}: ${again.stderr.slice(0, 200)}`);
  return problems;
}

/** What the command said that it had done, in spite of the fault, and what is not there. */
function notKept(
  stage: Stage,
  { status: undisturbed, leaves }: Scene,
  { status, stdout }: { readonly status: number | null; readonly stdout: string },
): string[] {
  const problems: string[] = [];
  // Printed by itself on a line, an id is a promise, even if a kill came right after it.
  for (const [id] of stdout.matchAll(/^ckpt-\S+$/gm)) {
    const loaded = stage.run(["load", id]);
    if (loaded.status !== 0) problems.push(`said ${id}, which does not load: ${loaded.stderr.slice(0, 200)}`);
  }
  if (status !== undisturbed) return problems;
  const [shows, ...command] = leaves;
  const shown = stage.run(command);
  if (!shows.test(shown.stdout + shown.stderr))
    problems.push(`ended with ${status}, but then: ${(shown.stdout + shown.stderr).slice(0, 300)}`);
  return problems;
}

async function aftermath(stage: Stage, known: readonly string[]): Promise<string[]> {
  if (!existsSync(join(stage.project, ".cairn/store.sqlite")))
    return known.length > 0 ? ["the store is gone"] : [];
  try {
    const cairn = await openCairn({ path: join(stage.project, ".cairn") });
    const { damage } = await cairn.verify();
    const problems = damage.map(({ what }) => what);
    for (const hash of known) {
      const isThere = (await cairn.store.readObjects([hash as never])).size > 0;
      if (!isThere && (await cairn.store.tombstone(hash as never)) === undefined)
        problems.push(`lost ${hash}`);
    }
    await cairn.close();
    return problems;
  } catch (error) {
    return [`unusable: ${String(error)}`];
  }
}
