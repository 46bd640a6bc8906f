import { visible } from "../../../core/text/visible.ts";
import type { ClientPlan, PlannedChange } from "../setup/planned-change.ts";
import { isChange, needsBackup } from "../setup/write-changes.ts";
import type { Style } from "../../../work/terminal/output.ts";
import { count } from "../../../work/state/words.ts";

/** How many lines of a change are shown, unless all are asked for. */
const SHOWN_LINES = 12;

export interface ShowOptions {
  readonly style: Style;
  /** Whether it has been done, or would be. */
  readonly isDone: boolean;
  /** Whether every line is shown. */
  readonly isWhole: boolean;
}

/** What becomes of each file, with the lines that come and go. */
export function planLines(plan: ClientPlan, options: ShowOptions): string[] {
  const { style } = options;
  return plan.changes.flatMap((change) => {
    const head = `${style.bold(plan.name)}  ${visible(change.path)}: ${wordsFor(change, options)}`;
    return [head, ...(options.isDone || !isChange(change) ? [] : lines(change, options))];
  });
}

/** One word for what happens to a file. */
export function actionOf(change: PlannedChange): "none" | "create" | "change" | "delete" {
  if (!isChange(change)) return "none";
  if (change.before === undefined) return "create";
  return change.after === undefined ? "delete" : "change";
}

function wordsFor(change: PlannedChange, { isDone }: ShowOptions): string {
  const action = actionOf(change);
  if (action === "none") return "nothing to do";
  const keeps = needsBackup(change) ? "; a backup of the old one is kept next to it" : "";
  return `${isDone ? "done: " : ""}${change.what}${isDone ? "" : keeps}`;
}

/** The lines between the first and the last difference: our edits stand close together. */
function lines({ before = "", after = "" }: PlannedChange, { style, isWhole }: ShowOptions): string[] {
  const [old, fresh] = [split(before), split(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const all = [
    ...old.slice(start, old.length - end).map((line) => style.red(`    - ${visible(line)}`)),
    ...fresh.slice(start, fresh.length - end).map((line) => style.green(`    + ${visible(line)}`)),
  ];
  if (isWhole || all.length <= SHOWN_LINES + 1) return all;
  const rest = count(all.length - SHOWN_LINES, "more line");
  return [...all.slice(0, SHOWN_LINES), `    … ${rest}: checkpoint init --dry-run shows all`];
}

function split(text: string): string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}
