import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { statePath } from "../machine/folders.ts";
import { readBounded } from "../machine/read-bounded.ts";
import { writePrivate } from "../../core/store/write-private.ts";
import type { Project } from "./project.ts";

// Clients start hooks with whatever Node comes first on their $PATH. The launcher, run by one that is too old, runs the
// command with the Node that is recorded here.

/** Records the Node that runs this. Never throws: where it cannot be recorded, an old Node says so itself. */
export function recordNode(world: Pick<Project, "env">, executable: string): void {
  const file = statePath(world.env, "node");
  if (file === undefined) return;
  try {
    writePrivate(file, `${executable}\n`);
  } catch {
    // See above.
  }
}

function recordedNode(world: Pick<Project, "env">): string | undefined {
  const { bytes } = readBounded(statePath(world.env, "node") ?? "", 4096);
  return bytes?.toString("utf8").trim() || undefined;
}

/** The recorded Node if it is gone, as after an upgrade; undefined if it is there, or none was recorded. */
export function missingNode(world: Pick<Project, "env">): string | undefined {
  const recorded = recordedNode(world);
  return recorded === undefined || existsSync(recorded) ? undefined : recorded;
}

/** The recorded Node if the command does not start on it, because an older one took its place. */
export function unfitNode(world: Pick<Project, "env">, launcher: string): string | undefined {
  const recorded = recordedNode(world);
  if (recorded === undefined || !existsSync(recorded)) return undefined;
  const env = { ...world.env, CHECKPOINT_RERUN: "1" };
  const { status } = spawnSync(recorded, [launcher, "--version"], { env, timeout: 10_000 });
  return status === 0 ? undefined : recorded;
}
