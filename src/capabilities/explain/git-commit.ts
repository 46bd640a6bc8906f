import { blankForeignPrograms } from "../../work/capture/git/foreign-programs.ts";
import { findGit, isCommitHash } from "../../work/capture/git/git-head.ts";
import { runGit } from "../../work/capture/git/run-git.ts";
import type { Project } from "../../work/project/project.ts";
import type { SoughtLines } from "./recorded.ts";

/** A commit of the repository around the project. */
export interface GitCommit {
  readonly hash: string;
  /** Milliseconds since 1970. It survives rebase, amend and cherry-pick. */
  readonly authoredAt: number;
  readonly subject: string;
  /** What it added, with paths relative to the project. */
  readonly added: readonly SoughtLines[];
}

const TIMEOUT_MS = 10_000;

/** Asks git; undefined outside a repository, or where git has no answer. */
async function ask(project: Project, args: readonly string[]): Promise<string | undefined> {
  const git = findGit(project.root);
  if (git === undefined) return undefined;
  const command = { top: git.top, env: project.env, timeoutMs: TIMEOUT_MS };
  const { settings, reason } = await blankForeignPrograms(command);
  return reason === undefined ? (await runGit({ ...command, args, settings })).stdout : undefined;
}

/** The hash of what was named: a hash, a branch, HEAD~2. */
export async function findCommit(project: Project, named: string): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${named}^{commit}`];
  const hash = (await ask(project, args))?.trim();
  return isCommitHash(hash) ? hash : undefined;
}

const SHOW = ["show", "--no-ext-diff", "--no-textconv", "--no-color", "--first-parent", "-U0", "-M"];
/** A line that no diff contains. */
const END = "\u0001";

export async function readCommit(project: Project, hash: string): Promise<GitCommit | undefined> {
  const printed = await ask(project, [...SHOW, `--format=%at%n%s%n${END}`, hash]);
  const [head, diff = ""] = printed?.split(`\n${END}\n`) ?? [];
  if (head === undefined) return undefined;
  const [seconds = "0", ...subject] = head.split("\n");
  const { prefix = "" } = findGit(project.root) ?? {};
  return {
    hash,
    authoredAt: Number(seconds) * 1000,
    subject: subject.join(" "),
    added: addedLines(diff, prefix),
  };
}

/** The lines that a diff adds, by file. */
function addedLines(diff: string, prefix: string): SoughtLines[] {
  return diff.split(/^diff --git /m).flatMap((part) => {
    const path = /^\+\+\+ (?:"?b\/)(?<path>.+?)"?$/m.exec(part)?.groups?.["path"];
    if (path === undefined || !path.startsWith(prefix)) return [];
    const body = part.slice(part.indexOf("\n@@"));
    const lines = body.split("\n").filter((line) => line.startsWith("+"));
    return { path: path.slice(prefix.length), lines: lines.map((line) => line.slice(1)) };
  });
}

/** Which commit a line comes from, and its text. Without a commit, it is not committed yet. */
export async function blameLine(
  project: Project,
  path: string,
  line: number,
): Promise<{ readonly hash: string | undefined; readonly path: string; readonly text: string } | undefined> {
  const { prefix = "" } = findGit(project.root) ?? {};
  const args = ["blame", "--porcelain", "-M", "-L", `${line},${line}`, "--", `${prefix}${path}`];
  const printed = await ask(project, args);
  if (printed === undefined) return undefined;
  const lines = printed.split("\n");
  const hash = lines[0]?.split(" ")[0];
  const text = lines.find((each) => each.startsWith("\t"))?.slice(1) ?? "";
  const then = lines.find((each) => each.startsWith("filename "))?.slice("filename ".length) ?? "";
  const isCommitted = isCommitHash(hash) && !/^0+$/.test(hash);
  return { hash: isCommitted ? hash : undefined, path: then.slice(prefix.length) || path, text };
}
