import { read } from "../shape/read.ts";
import {
  enumOf,
  fields,
  flag,
  list,
  number,
  optional,
  orElse,
  type Shape,
  text,
  type ValueOf,
  withMore,
} from "../shape/shape.ts";

const texts = orElse(list(text), []);

/** How far a file was read. A file whose bytes before that have changed was rewritten, and is read again from its beginning. */
const position = fields({
  bytes: number,
  /** A digest of the last bytes that were read. */
  digest: text,
});
export type TranscriptPosition = ValueOf<typeof position>;

/** A person's prompt and all that the agent did and said until it stopped. */
const turn = fields({
  at: orElse(text, ""),
  /** The beginning of the prompt; missing if the agent went on by itself. */
  asked: optional(text),
  /** What the agent said. */
  said: texts,
  /** What it wrote for people: messages of commits, texts of pull requests. */
  wrote: optional(list(text)),
});
export type Turn = ValueOf<typeof turn>;

const edit = fields({
  path: text,
  at: orElse(text, ""),
  change: orElse(enumOf("created", "changed", "deleted"), "changed"),
  edits: orElse(number, 1),
  added: orElse(number, 0),
  removed: orElse(number, 0),
  /** Functions, types and headings that appeared or went: `+parse`, `-read`, `old → new`. */
  symbols: texts,
  /** The commit that holds it; missing until it is committed. */
  commit: optional(text),
});
export type FileEdit = ValueOf<typeof edit>;

const result = fields({
  command: text,
  ok: flag,
  at: orElse(text, ""),
  /** The test, linter or build that it ran, whatever surrounded it. */
  check: optional(text),
  /** It failed, and its exit status was that of success. */
  hidden: optional(flag),
  /** The lines that matter of what it printed. */
  lines: texts,
  /** A check that passed since and covers this one. */
  passed_since: optional(text),
});
export type CommandResult = ValueOf<typeof result>;

const fileRead = fields({
  path: text,
  /** The line that was read last. */
  line: optional(number),
});

/** An identifier that the work was about, and how often and how lately it was met. */
const name = fields({ name: text, weight: orElse(number, 0) });
export type NameInPlay = ValueOf<typeof name>;

const commit = fields({
  /** As git printed it, which may be short; whole where HEAD told it. */
  hash: text,
  /** Missing where nothing but HEAD told of it. */
  subject: optional(text),
  at: orElse(text, ""),
  /** When the turn began. */
  turn: orElse(text, ""),
  pushed: optional(flag),
});
export type RecordedCommit = ValueOf<typeof commit>;

/** The lines that were written into a file in one turn, each as the first bytes of its hash. */
const written = fields({
  path: text,
  /** When the turn began. */
  turn: text,
  lines: orElse(list(number), []),
});

const recorded = fields({
  /** How far the transcript was read. */
  read: optional(position),
  turns: orElse(list(turn), []),
  edits: orElse(list(edit), []),
  /** The last result of each command, failed or passed. */
  results: orElse(list(result), []),
  reads: orElse(list(fileRead), []),
  /** The last compaction: the files that the agent had read before it, and those of them that it has read again since. */
  compacted: optional(fields({ at: text, known: texts, again: texts })),
  /** Branches, commits, pull requests, issues, versions, ports: exact values that the work turned on. */
  references: texts,
  names: orElse(list(name), []),
  /** What it wrote, turn by turn, and the commits that came of it: so that `explain` knows them again. */
  written: optional(list(written)),
  commits: optional(list(commit)),
});

/**
 * What an agent said and did, read from its client's transcript: redacted and bounded, the newest last in every list.
 * It is what a briefing needs and a list of tasks cannot say.
 */
export type Activity = ValueOf<typeof recorded>;

/** Its parts are ours alone, and not published. */
export const activity: Shape<Activity> = withMore(
  { type: "object" },
  { read: (value) => read(recorded, value) },
);

export function emptyActivity(): Activity {
  return { turns: [], edits: [], results: [], reads: [], references: [], names: [] };
}
