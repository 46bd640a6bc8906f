import { runWords } from "../../state/run-words.ts";
import type { WorkState } from "../../state/work-state.ts";
import { clip } from "../../../core/text/visible.ts";
import type { Item } from "./item.ts";
import { clipped, item } from "./forms.ts";

/** How many steps with something to say are looked at; the others are only named. */
const MOST_STEPS = 50;

/** A workflow run: how far it is, what became of its steps, what they returned and which files they made. */
export function runItems({ run: from }: WorkState): Item[] {
  const run = runWords(from);
  if (run === undefined) return [];
  const part = (id: string, value: number, words: string, short = words): Item =>
    item({ id, section: "run", value, words, fit: clipped(words, short), from });
  const named = (title: string, names: readonly string[], value: number) =>
    names.length === 0 ? [] : [part(`run.${title}`, value, `${title}: ${clip(names.join(", "), 600)}`)];
  const head = [run.head, run.detail].filter(Boolean).join("; ");
  return [
    part("run", 14, head, run.head || head),
    ...run.open.slice(0, MOST_STEPS).map(({ id, text }) => part(`run.${id}`, 14, `Step ${id}: ${text}`)),
    ...named("Done", run.done, 12),
    ...named("Not done", run.pending, 12),
    ...run.results.slice(-MOST_STEPS).map(({ id, text }) => part(`run.${id}`, 8, `Result of ${id}: ${text}`)),
    ...named("Files", run.files, 10),
  ];
}
