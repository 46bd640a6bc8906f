import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

import type { Row } from "./part.ts";

/** What a part found, when it was last run to its end. */
export interface Result {
  readonly commit: string;
  readonly seed: number;
  /** How long it took, on a machine that may have been busy. */
  readonly seconds?: number;
  readonly rows: readonly Row[];
}

/** Under version control: what the page shows must outlive a checkout. */
const FILE = "proof/results.json";
/** Outside of it, so that a part that was interrupted can go on. */
const UNFINISHED = "node_modules/.cache/cairn-proof";

export function readResults(): Record<string, Result> {
  return JSON.parse(readFileSync(FILE, "utf8")) as Record<string, Result>;
}

export function keepResult(name: string, result: Result): void {
  writeFileSync(FILE, `${JSON.stringify({ ...readResults(), [name]: result }, undefined, 2)}\n`);
}

/** How far a part came before it was interrupted. The key says for what that holds. */
interface Unfinished {
  readonly key: string;
  readonly state: unknown;
}

const unfinishedFile = (name: string) => `${UNFINISHED}/${name}.json`;

export function readUnfinished(name: string, key: string): unknown {
  try {
    const kept = JSON.parse(readFileSync(unfinishedFile(name), "utf8")) as Unfinished;
    return kept.key === key ? kept.state : undefined;
  } catch {
    return undefined;
  }
}

export function keepUnfinished(name: string, key: string, state: unknown): void {
  mkdirSync(UNFINISHED, { recursive: true });
  writeFileSync(unfinishedFile(name), JSON.stringify({ key, state } satisfies Unfinished));
}

/** The last commit that changed anything that is proved; with a + if something was changed since. */
export function provedCommit(): string {
  const git = (...args: string[]) => spawnSync("git", args, { encoding: "utf8" }).stdout.trim();
  const proved = ["src", "bin", "package-lock.json", "proof/mutants"];
  const isChanged = git("status", "--porcelain", "--", ...proved) !== "";
  return git("log", "-1", "--format=%h", "--", ...proved) + (isChanged ? "+" : "");
}
