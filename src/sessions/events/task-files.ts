import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../capture/environment.ts";
import { personalFolder } from "../../capture/files/home-folder.ts";
import { readBounded } from "../../capture/files/read-bounded.ts";
import { parseJson } from "../../text/untrusted.ts";
import type { TaskFacts } from "./facts.ts";
import type { HookEvent } from "./hook-event.ts";
import { CLAUDE_TASKS, taskOfFile } from "./read-tasks.ts";

const MOST_FILES = 500;
const MOST_BYTES = 64 * 1024;

/**
 * The tasks of a session as Claude Code keeps them, one file each: always up to date, however they were changed. An
 * empty result says nothing: the client also deletes lists that are done. Never throws.
 */
export function readTaskFiles({ client, sessionId }: HookEvent, env: Environment): TaskFacts[] {
  const folder = client === "claude" ? taskFolder(sessionId, env) : undefined;
  if (folder === undefined) return [];
  const tasks = namesIn(folder).flatMap((name) => taskOfFile(parse(join(folder, name))) ?? []);
  tasks.sort((a, b) => Number(a.id) - Number(b.id) || (a.id < b.id ? -1 : 1));
  return tasks.length === 0 ? [] : [{ list: CLAUDE_TASKS, tasks, isWhole: true }];
}

function taskFolder(sessionId: string, env: Environment): string | undefined {
  const config = personalFolder(env, "CLAUDE_CONFIG_DIR", ".claude");
  // The id becomes part of a path, and must not lead anywhere else.
  if (config === undefined || !/^[A-Za-z0-9_-]{1,100}$/.test(sessionId)) return undefined;
  return join(config, "tasks", sessionId);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[A-Za-z0-9_-]{1,100}\.json$/.test(name))
      .slice(0, MOST_FILES);
  } catch {
    return [];
  }
}

/** Undefined while the file is being written: the next event finds it complete. */
function parse(path: string): unknown {
  return parseJson(readBounded(path, MOST_BYTES).bytes?.toString("utf8") ?? "");
}
