import type { CommandLine } from "../definition/types.ts";

/**
 * Runs a command for a step, and writes down who runs it and how it ended, so that a later runner knows.
 * It claims the attempt first (`set -C` creates a file only if there is none), with builtins alone: a
 * wrapper must not cost a second process before the command starts.
 */
const SCRIPT = `dir=$1; shift
{ IFS= read -r stat < "/proc/$$/stat"; } 2>/dev/null || stat=$(LC_ALL=C ps -o lstart= -p $$)
{ IFS= read -r boot < /proc/sys/kernel/random/boot_id; } 2>/dev/null || boot=
umask_before=$(umask); umask 077; set -C
{ printf '%s\\n%s\\n%s\\n' "$$" "$boot" "$stat" > "$dir/started"; } 2>/dev/null || exit 75
set +C; umask "$umask_before"
"$@"
code=$?
umask 077
printf '%s\\n' "$code" > "$dir/status"
exit "$code"`;

/** The words to spawn: the wrapper around the command. Values never become part of the script: they are arguments. */
export function wrapped(command: CommandLine, folder: string): readonly [string, ...string[]] {
  return ["/bin/sh", "-c", SCRIPT, "sh", folder, ...wordsOf(command)];
}

/** A line is for the shell; words are a program and its arguments. */
export function wordsOf(command: CommandLine): readonly string[] {
  return typeof command === "string" ? ["/bin/sh", "-c", command] : command;
}
