/** What kind of words a piece has. `transcript` is everything in an archived transcript that is of no other kind, and in a filter all of it. */
export const SEARCH_KINDS = [
  "prompt",
  "said",
  "decision",
  "task",
  "output",
  "command",
  "file",
  "note",
  "transcript",
] as const;

export type SearchKind = (typeof SEARCH_KINDS)[number];

/** Words that belong together and are found together: a prompt, a decision, what a command printed. */
export interface SearchPiece {
  readonly kind: SearchKind;
  readonly text: string;
  /** The file that it is about. */
  readonly file?: string | undefined;
  /** When it was said, if that is known better than by the checkpoint. */
  readonly at?: string | undefined;
  readonly who?: string | undefined;
}
