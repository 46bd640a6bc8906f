import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { readGitHead } from "../../../work/capture/git/git-head.ts";
import { readBounded } from "../../../work/machine/read-bounded.ts";
import type { GitStatusNow } from "./git-status.ts";

/** Without git, more files are not looked at: then the look has failed. */
const MOST_FILES = 20_000;
const MOST_DEPTH = 64;
const IGNORE_FILE_BYTES = 64 * 1024;

/** What tools make again: no work is lost with it. */
const MADE_AGAIN = new Set([
  ".cairn",
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  "__pycache__",
  ".venv",
  "venv",
  ".tox",
  ".mypy_cache",
  ".pytest_cache",
  ".cache",
  ".gradle",
  ".next",
  "target",
]);

/** Every file below a folder that is in no repository, but what its `.gitignore` files and common sense leave out. */
export function walk(root: string): Omit<GitStatusNow, "head" | "branch"> {
  const changed: GitStatusNow["changed"][number][] = [];
  const repositories: { path: string; head: string | null }[] = [];
  let unnamed = 0;
  const visit = (folder: string, rules: readonly IgnoreRule[], depth: number): void => {
    const own = [...rules, ...rulesOf(root, folder)];
    for (const entry of entriesIn(join(root, folder))) {
      const path = `${folder}${entry.name}`;
      if (MADE_AGAIN.has(entry.name) || isIgnored(own, path, entry.isDirectory())) continue;
      if (entry.name.includes("\uFFFD")) unnamed++;
      else if (!entry.isDirectory()) changed.push({ path, committed: null });
      else if (entriesIn(join(root, path)).some(({ name }) => name === ".git"))
        repositories.push({ path, head: readGitHead(join(root, path))?.head ?? null });
      else if (depth < MOST_DEPTH) visit(`${path}/`, own, depth + 1);
      if (changed.length > MOST_FILES)
        throw new Error(`there are more than ${MOST_FILES} files, and no git repository`);
    }
  };
  visit("", [], 0);
  return { changed, repositories, unnamed };
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that is closed to us, or gone by now.
    return [];
  }
}

interface IgnoreRule {
  readonly pattern: RegExp;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

/** The last rule that matches decides, as in git. */
function isIgnored(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean {
  const last = rules.findLast(
    ({ pattern, isForFolders }) => (isFolder || !isForFolders) && pattern.test(path),
  );
  return last !== undefined && !last.isNegated;
}

function rulesOf(root: string, folder: string): IgnoreRule[] {
  const { bytes } = readBounded(join(root, folder, ".gitignore"), IGNORE_FILE_BYTES);
  const lines = bytes?.toString("utf8").split(/\r?\n/) ?? [];
  return lines.flatMap((line) => ruleOf(line, folder) ?? []);
}

function ruleOf(line: string, folder: string): IgnoreRule | undefined {
  const [, not, text = ""] = /^(!?)(.*?)\s*$/.exec(line) ?? [];
  const glob = text.replace(/\/$/, "");
  if (glob === "" || glob.startsWith("#")) return undefined;
  const isAnchored = glob.includes("/");
  const body = glob
    .replace(/^\//, "")
    .split("**")
    .map((part) =>
      part
        .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
        .replaceAll("*", "[^/]*")
        .replaceAll("?", "[^/]"),
    )
    .join(".*");
  const escaped = folder.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return {
    pattern: new RegExp(`^${escaped}${isAnchored ? "" : "(?:.*/)?"}${body}$`),
    isNegated: not === "!",
    isForFolders: text.endsWith("/"),
  };
}
