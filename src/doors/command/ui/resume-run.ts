import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { own, parseJson, textOf } from "../../../core/text/untrusted.ts";
import type { Resumed } from "../../page/verbs.ts";
import type { Context } from "../../../work/terminal/context.ts";

const LAUNCHER = join(import.meta.dirname, "../../bin/checkpoint.js");

/** How long a refusal may take to arrive. A runner that lives on after that is at work. */
const REFUSAL_MS = 3000;

/**
 * Goes on with a run by the command itself, in a process of its own: it asks for nothing, so a run that needs a yes or a
 * secret refuses in words, and it goes on when the page is closed.
 */
export async function resumeRun(
  { runtime, env, project }: Context,
  run: string,
  redo?: string,
): Promise<Resumed> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-resume-"));
  // In one word, so that a step's name is never an option.
  const repeated = redo === undefined ? [] : [`--redo=${redo}`];
  const messages = join(folder, "messages");
  // A file, because a pipe would break with this process, and the runner with it.
  const file = openSync(messages, "w", 0o600);
  try {
    const child = spawn(runtime.executable, [LAUNCHER, "resume", "--json", ...repeated, "--", run], {
      cwd: project.root,
      env: { ...env },
      detached: true,
      stdio: ["ignore", "ignore", file],
    });
    const hasEnded = () => true;
    const ended = once(child, "close").then(hasEnded, hasEnded);
    child.unref();
    if (!(await Promise.race([ended, wait(REFUSAL_MS, false)])))
      return { isRunning: true, message: "", hint: null };
    const error = own(parseJson(readFileSync(messages, "utf8")), "error");
    return { isRunning: false, message: textOf(error, "message") ?? "", hint: textOf(error, "hint") ?? null };
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}
