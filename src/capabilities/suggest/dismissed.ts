import type { Cairn } from "../../work/state/cairn.ts";

/** What was dismissed for good: the whole state of its trail. */
interface DismissedBook {
  dismissed: Dismissed[];
}

export interface Dismissed {
  /** Of a suggestion, or of a rule. */
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly why: string | null;
}

const TRAIL = "watch/suggestions";
export const MOST_DISMISSED = 1000;

export async function openDismissed(cairn: Cairn) {
  const initial: DismissedBook = { dismissed: [] };
  const trail = cairn.trail<DismissedBook>(TRAIL, { initial });
  const isThere = (await cairn.store.head(TRAIL)) !== undefined;
  const { dismissed } = isThere ? (await trail.load()).state : initial;
  return { trail, dismissed };
}
