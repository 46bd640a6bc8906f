/** A command to type next, and what it is for. */
export interface NextCommand {
  readonly command: string;
  readonly why: string;
}
