/** What the model says in one turn. */
export type Turn =
  | { readonly says: string }
  | {
      readonly calls: string;
      readonly of?: string;
      readonly with: object;
      /** What it says before the call. */
      readonly saying?: string;
    }
  | { readonly patches: string };

interface TurnDetails {
  /** Never the same twice: ids are made of it. */
  readonly number: number;
  /** How many tokens the client is told that it used; more than its limit makes it compact. */
  readonly tokens: number;
}

/** The API of one provider, as far as a client needs it. */
export interface Dialect {
  /** Which requests are asked in it. */
  readonly path: RegExp;
  /** The events of a streamed answer; each is sent as it is. */
  readonly answer: (turn: Turn, details: TurnDetails) => readonly object[];
  /** The requests that are answered by one piece of JSON, and not by a stream. */
  readonly wholePath?: RegExp;
  /** Whether it wants the name of each event before its data. */
  readonly namesEvents?: boolean;
  /** The last line, after all events. */
  readonly end?: string;
}
