import type { CommandLine } from "../definition/types.ts";
import { currentBoot, readSystemFile } from "../../capture/files/system-file.ts";

/** A shell runs its traps when the command that it waits for has ended. Commands do not inherit them, nor do subshells. */
const GOODBYE = "trap 'exit 143' TERM; trap 'exit 130' INT";

/**
 * Runs a command for a step, and writes down who runs it and how it ended, so that a later runner knows.
 * It claims the attempt first: `set -C` creates a file only if there is none. Builtins alone, because every
 * process more would be felt in every step. It outlives a SIGTERM to its group, so that the command has time
 * for its goodbye. Its variables have names that no environment uses: an inherited variable that was assigned
 * here would reach the command changed.
 */
const SCRIPT = `__cairn_dir=$1; __cairn_umask=\${2:-$(umask)}; __cairn_boot=$3; __cairn_line=$4; shift 4
__cairn_start=; [ -n "$__cairn_boot" ] || __cairn_start=$(LC_ALL=C ps -o lstart= -p $$)
umask 077; set -C
{ printf '%s\\n%s\\n%s\\n' "$$" "$__cairn_boot" "$__cairn_start" > "$__cairn_dir/started"; } 2>/dev/null || exit 75
set +C; umask "$__cairn_umask"; ${GOODBYE}
trap '__cairn_code=$?; printf "%s\\n" "$__cairn_code" >> "$__cairn_dir/started"; exit "$__cairn_code"' EXIT
`;
const RUN_WORDS = `"$@"`;
/** In the wrapper itself: a fork takes as long as half a durable commit. */
const RUN_LINE = `eval "$__cairn_line"`;
const RUN_LINE_APART = `( ${GOODBYE}; eval "$__cairn_line" )`;

/** Lines that could replace the shell or its traps, themselves or by a file that they read in; the status would be lost. */
const TAKES_OVER = /\b(?:exec|trap|eval|source)\b|(?:^|[\s;&|({])\.\s/;

/** The words to spawn: the wrapper around the command. Values never become part of the script: they are arguments. */
export function wrapped(command: CommandLine, folder: string): readonly [string, ...string[]] {
  // The boot is handed over, because a shell reads a file byte by byte.
  const facts = [folder, umaskOfRunner(), bootOfRunner()];
  if (typeof command !== "string")
    return ["/bin/sh", "-c", SCRIPT + RUN_WORDS, "sh", ...facts, "", ...command];
  const run = TAKES_OVER.test(command) ? RUN_LINE_APART : RUN_LINE;
  return ["/bin/sh", "-c", SCRIPT + run, "sh", ...facts, command];
}

let known: string | undefined;

/** The umask that the command is to have, from /proc; empty where there is none, and then the shell is asked. */
function umaskOfRunner(): string {
  known ??= readUmask();
  return known;
}

let boot: string | undefined;

function bootOfRunner(): string {
  boot ??= currentBoot();
  return boot;
}

function readUmask(): string {
  return /^Umask:\s*(\d+)$/m.exec(readSystemFile("/proc/self/status") ?? "")?.[1] ?? "";
}

/** A line is for the shell; words are a program and its arguments. */
export function wordsOf(command: CommandLine): readonly string[] {
  return typeof command === "string" ? ["/bin/sh", "-c", command] : command;
}
