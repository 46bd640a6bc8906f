import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { readGitHead } from "../../../work/capture/git/git-head.ts";
import { readBounded } from "../../../work/machine/read-bounded.ts";
import type { GitStatusNow } from "./git-status.ts";

/** Without git, more files are not looked at: then the look has failed. */
const MOST_FILES = 20_000;
const MOST_DEPTH = 64;
const IGNORE_FILE_BYTES = 64 * 1024;
/** A path is no longer. */
const LONGEST_GLOB = 4096;

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

/** A line of a `.gitignore`. */
export interface IgnoreRule {
  /** Where that file is: empty, or ending in a slash. */
  readonly folder: string;
  readonly glob: string;
  readonly isAnchored: boolean;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

/** The last rule that matches decides, as in git. */
export function isIgnored(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean {
  const last = rules.findLast((rule) => (isFolder || !rule.isForFolders) && isMeant(rule, path));
  return last !== undefined && !last.isNegated;
}

function isMeant({ folder, glob, isAnchored }: IgnoreRule, path: string): boolean {
  return (
    path.startsWith(folder) &&
    matches(glob, path.slice(isAnchored ? folder.length : path.lastIndexOf("/") + 1))
  );
}

/** Not a regular expression: what a repository brings along could make one try for ever. */
function matches(glob: string, text: string): boolean {
  let [at, from] = [0, 0];
  /** Behind the last `*` and the last `**`, and up to where each has taken the text. */
  let star = { behind: -1, to: 0 };
  let deep = { behind: -1, to: 0 };
  while (from < text.length) {
    if (glob.startsWith("**", at)) {
      at += 2;
      deep = { behind: at, to: from };
      star = { behind: -1, to: 0 };
    } else if (glob[at] === "*") star = { behind: ++at, to: from };
    else if (glob[at] === text[from] || (glob[at] === "?" && text[from] !== "/"))
      [at, from] = [at + 1, from + 1];
    else if (star.behind >= 0 && text[star.to] !== "/") [at, from] = [star.behind, ++star.to];
    else if (deep.behind >= 0) {
      [at, from] = [deep.behind, ++deep.to];
      star = { behind: -1, to: 0 };
    } else return false;
  }
  return /^\**$/.test(glob.slice(at));
}

function rulesOf(root: string, folder: string): IgnoreRule[] {
  const { bytes } = readBounded(join(root, folder, ".gitignore"), IGNORE_FILE_BYTES);
  return rulesIn(bytes?.toString("utf8") ?? "", folder);
}

/** The rules of a `.gitignore` in a folder, which is empty or ends in a slash. */
export function rulesIn(text: string, folder: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => ruleOf(line, folder) ?? []);
}

function ruleOf(line: string, folder: string): IgnoreRule | undefined {
  const isNegated = line.startsWith("!");
  const text = line.slice(Number(isNegated)).trimEnd();
  const glob = text.replace(/\/$/, "");
  if (glob === "" || glob.startsWith("#") || glob.length > LONGEST_GLOB) return undefined;
  const isAnchored = glob.includes("/");
  return { folder, glob: glob.replace(/^\//, ""), isAnchored, isNegated, isForFolders: text.endsWith("/") };
}
