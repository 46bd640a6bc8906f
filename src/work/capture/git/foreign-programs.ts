import { type GitCommand, runGit } from "./run-git.ts";

/** What `git config --get-regexp` exits with when nothing matches. */
const NOTHING_FOUND = "git config ended with status 1";

/** What takes a program's place, by the section that names it. Hooks in the config are newer than those in files. */
const BLANKED: Readonly<Record<string, readonly (readonly [key: string, value: string])[]>> = {
  filter: [
    ["clean", ""],
    ["smudge", ""],
    ["process", ""],
    ["required", "false"],
  ],
  hook: [["enabled", "false"]],
};

/**
 * Settings that blank the filters and hooks which the repository's own config names. To tell whether a file was changed,
 * or to check it out, git runs its filter, and a repository that was unpacked rather than cloned brings its config along.
 * Filters in the user's own config, such as Git LFS, stay. Git is always asked: which files it reads as config, through
 * pointer files, links and conditions, only git itself knows.
 */
export async function blankForeignPrograms(
  command: Pick<GitCommand, "top" | "env" | "timeoutMs">,
): Promise<{ readonly settings: ReadonlyMap<string, string>; readonly reason?: string }> {
  const settings = new Map<string, string>();
  const args = ["config", "--null", "--show-scope", "--get-regexp", "^(filter|hook)\\."];
  const { records = [], reason } = await runGit({ ...command, args });
  if (reason !== undefined && reason !== NOTHING_FOUND) return { settings, reason };
  for (let at = 0; at + 1 < records.length; at += 2) {
    const scope = records[at] ?? "";
    const key = records[at + 1]?.split("\n", 1)[0] ?? "";
    if (scope !== "local" && scope !== "worktree") continue;
    const section = key.slice(0, key.lastIndexOf("."));
    for (const [name, value] of BLANKED[section.split(".", 1)[0] ?? ""] ?? [])
      settings.set(`${section}.${name}`, value);
  }
  return { settings };
}
