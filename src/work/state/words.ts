import { asList, own, textOf } from "../../core/text/untrusted.ts";
import { oneLine } from "../../core/text/visible.ts";
import type { RecentOutput, Workspace } from "./work-state.ts";

/** `1 task`, `3 tasks`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** A size as people read it: `812 B`, `4.2 MB`. */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = size / 1000;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** `in_progress` as words. */
export function words(status: string): string {
  return status.replaceAll("_", " ");
}

/** Branch, commit and whether there is something to commit. */
export function gitLine(workspace: Workspace | undefined): string[] {
  if (workspace === undefined) return [];
  const { head, dirty } = workspace;
  const branch = oneLine(workspace.branch ?? "no branch");
  if (head === null) return [`${branch}, no commit yet`];
  const state = dirty === null ? "" : dirty ? ", uncommitted changes" : ", nothing to commit";
  return [`${branch} at ${oneLine(head).slice(0, 10)}${state}`];
}

/** How many files were touched, also where only the first are listed. */
export function filesTouched(state: unknown): number {
  const more = own(own(state, "workspace"), "more_files");
  return asList(own(state, "files_touched")).length + (typeof more === "number" ? more : 0);
}

/** `5, Bootstrapping`; the name alone where it says its number itself: `Phase 5: Bootstrapping`. */
export function phaseName(phase: unknown): string {
  const name = textOf(phase, "name") ?? "?";
  const number = textOf(phase, "number");
  return number === undefined || name.split(/\W+/).includes(number) ? name : `${number}, ${name}`;
}

/** The same in a sentence, as `phase 5, Bootstrapping`. */
export function phaseWords(phase: unknown): string {
  const name = phaseName(phase);
  return /^phase\b/i.test(name) ? name : `phase ${name}`;
}

/** A text at the start of a sentence. */
export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What came out of the work: `[!] Bash npm test`. */
export function outputLine({ type, action, id, success }: RecentOutput): string {
  const sign = success ? "[x]" : "[!]";
  // A hook's action begins with its tool, and its id is only a number.
  const parts = [action.startsWith(type) ? "" : type, action, /^#\d+$/.test(id) ? "" : id];
  return oneLine([sign, ...parts].filter((part) => part !== "").join(" "));
}
