import { CheckpointError } from "../../../core/errors.ts";
import type { Decision, Remark } from "../../state/work-state.ts";
import { meaningful } from "../sentence.ts";

/** The lists whose entries have numbers: what an entry is called, and what shows the numbers. */
const LISTS = {
  constraints: { noun: "rule", shownBy: "checkpoint rule list" },
  decisions: { noun: "decision", shownBy: "checkpoint decision list" },
  blockers: { noun: "blocker", shownBy: "checkpoint status" },
};
export type List = keyof typeof LISTS;

/** An entry of one of these lists: its words are in `text` or in `what`. */
export type NumberedEntry = Partial<Decision & Remark>;

/** The place of the one entry that a person means: by its number, or by words that only it has. */
export function findEntry(entries: readonly NumberedEntry[], typed: string, list: List): number {
  const { noun, shownBy } = LISTS[list];
  const which = meaningful(typed, `The ${noun}`);
  if (/^\d+$/.test(which)) {
    const number = Number(which);
    if (number >= 1 && number <= entries.length) return number - 1;
    throw noEntry(`${noun} ${number}`, which, shownBy);
  }
  const isMeant = ({ text, what = text }: NumberedEntry) => what?.toLowerCase().includes(which.toLowerCase());
  const matches = entries.flatMap((entry, index) => (isMeant(entry) ? [index] : []));
  const [only, another] = matches;
  if (only === undefined) throw noEntry(`${noun} with "${which}" in it`, which, shownBy);
  if (another === undefined) return only;
  throw new CheckpointError(
    "usage",
    `"${which}" could be ${matches.length} ${noun}s: ${matches.map((index) => index + 1).join(", ")}.`,
    { hint: `Give its number: ${shownBy}`, details: { which } },
  );
}

function noEntry(what: string, which: string, hint: string): CheckpointError {
  return new CheckpointError("not-found", `There is no ${what}.`, { hint, details: { which } });
}
