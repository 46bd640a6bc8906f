import { execFileSync, spawnSync } from "node:child_process";
import { devNull } from "node:os";
import { join } from "node:path";
import { bytesIn } from "../folders.ts";
import type { Habit } from "./habit.ts";
import { writeDurably } from "./write-durably.ts";

const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_SYSTEM: devNull,
  GIT_AUTHOR_NAME: "bench",
  GIT_AUTHOR_EMAIL: "bench@example.org",
  GIT_COMMITTER_NAME: "bench",
  GIT_COMMITTER_EMAIL: "bench@example.org",
};

export function hasGit(): boolean {
  return spawnSync("git", ["--version"]).status === 0;
}

/** A git commit of a JSON file, with git's own settings (which do not flush what it stores). */
export function gitCommit(folder: string): Habit {
  const git = (...args: string[]): void => {
    execFileSync("git", args, { cwd: folder, env: ENVIRONMENT, stdio: ["ignore", "ignore", "pipe"] });
  };
  git("init", "--quiet", "--template=");
  return {
    name: "git commit of a JSON file",
    keepsHistory: true,
    save: (state) => {
      writeDurably(join(folder, "state.json"), JSON.stringify(state));
      git("add", "state.json");
      git("commit", "--quiet", "--message", "checkpoint");
    },
    bytes: () => bytesIn(join(folder, ".git")),
  };
}
