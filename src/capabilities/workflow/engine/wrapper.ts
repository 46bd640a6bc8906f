import type { CommandLine } from "../definition/source-words.ts";
import { currentBoot, readSystemFile } from "../../../work/machine/system-file.ts";

/** A shell runs its traps when the command that it waits for has ended. Commands and subshells do not inherit them. */
const EXIT_TRAPS = "trap 'exit 143' TERM; trap 'exit 130' INT";

/**
 * Runs a command for a step, and records which process runs it and how it ended, for later runners.
 * It claims the attempt first: `set -C` creates a file only if there is none. Builtins only, because another
 * process would slow down every step. It outlives a SIGTERM to its group, so that the command has time to
 * clean up. Its variables have names that no environment uses: assigning an inherited variable here would
 * change it for the command.
 */
const SCRIPT = `__cairn_dir=$1; __cairn_umask=\${2:-$(umask)}; __cairn_boot=$3; __cairn_line=$4; shift 4
__cairn_start=; [ -n "$__cairn_boot" ] || __cairn_start=$(LC_ALL=C ps -o lstart= -p $$)
umask 077; set -C
{ printf '%s\\n%s\\n%s\\n' "$$" "$__cairn_boot" "$__cairn_start" > "$__cairn_dir/started"; } 2>/dev/null || exit 75
set +C; umask "$__cairn_umask"; ${EXIT_TRAPS}
trap '__cairn_code=$?; printf "%s\\n" "$__cairn_code" >> "$__cairn_dir/started"; exit "$__cairn_code"' EXIT
`;
const RUN_WORDS = `"$@"`;
/** In the wrapper itself: a fork takes half as long as a durable commit. */
const RUN_LINE = `eval "$__cairn_line"`;
const RUN_LINE_APART = `( ${EXIT_TRAPS}; eval "$__cairn_line" )`;

/** Lines that could replace the shell or its traps, so that the status would be lost. These get a subshell. */
const TAKES_OVER = /\b(?:exec|trap|eval|source)\b|(?:^|[\s;&|({])\.\s/;

/** The command line to spawn: the wrapper around the command. Values are arguments, never part of the script. */
export function wrapped(command: CommandLine, folder: string): readonly [string, ...string[]] {
  // Passed in, because a shell reads files byte by byte.
  const facts = [folder, readUmask(), currentBoot()];
  if (typeof command !== "string")
    return ["/bin/sh", "-c", SCRIPT + RUN_WORDS, "sh", ...facts, "", ...command];
  const run = TAKES_OVER.test(command) ? RUN_LINE_APART : RUN_LINE;
  return ["/bin/sh", "-c", SCRIPT + run, "sh", ...facts, command];
}

/** From /proc, because a program cannot read its umask without changing it. Where there is none, the shell is asked. */
function readUmask(): string {
  return /^Umask:\s*(\d+)$/m.exec(readSystemFile("/proc/self/status") ?? "")?.[1] ?? "";
}

/** A string is a line for the shell; words are a program and its arguments. */
export function wordsOf(command: CommandLine): readonly string[] {
  return typeof command === "string" ? ["/bin/sh", "-c", command] : command;
}
