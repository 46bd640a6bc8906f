/**
 * What an agent said and did, read from its client's transcript: redacted and bounded, the newest last in every list.
 * It is what a briefing needs and a list of tasks cannot say.
 */
export interface Activity {
  /** How far the transcript was read. */
  read?: TranscriptPosition;
  turns: Turn[];
  edits: FileEdit[];
  /** The last result of each command, failed or passed. */
  results: CommandResult[];
  reads: FileRead[];
  /** The last compaction: the files that the agent had read before it, and those of them that it has read again since. */
  compacted?: { at: string; known: string[]; again: string[] };
  /** Branches, commits, pull requests, issues, versions, ports: exact values that the work turned on. */
  references: string[];
  names: NameInPlay[];
  /** What it wrote, turn by turn, and the commits that came of it: so that `explain` knows them again. */
  written?: WrittenLines[];
  commits?: RecordedCommit[];
}

/** The lines that were written into a file in one turn, each as the first bytes of its hash. */
interface WrittenLines {
  path: string;
  /** When the turn began. */
  turn: string;
  lines: number[];
}

export interface RecordedCommit {
  /** As git printed it, which may be short; whole where HEAD told it. */
  hash: string;
  /** Missing where nothing but HEAD told of it. */
  subject?: string;
  at: string;
  /** When the turn began. */
  turn: string;
}

/** How far a file was read. A file whose bytes before that have changed was rewritten, and is read again from its beginning. */
export interface TranscriptPosition {
  bytes: number;
  /** A digest of the last bytes that were read. */
  digest: string;
}

/** A person's prompt and all that the agent did and said until it stopped. */
export interface Turn {
  at: string;
  /** The beginning of the prompt; missing if the agent went on by itself. */
  asked?: string;
  /** What the agent said; of a turn that is over, only what matters later. */
  said: string[];
}

export interface FileEdit {
  path: string;
  at: string;
  change: "created" | "changed" | "deleted";
  edits: number;
  added: number;
  removed: number;
  /** Functions, types and headings that appeared or went: `+parse`, `-read`, `old → new`. */
  symbols: string[];
  /** The changed lines of the last edit, each with `+` or `-`. */
  lines: string[];
  /** The commit that holds it; missing until it is committed. */
  commit?: string;
}

interface CommandResult {
  command: string;
  ok: boolean;
  at: string;
  /** The test, linter or build that it ran, whatever surrounded it. */
  check?: string;
  /** It failed, and its exit status was that of success. */
  hidden?: true;
  /** The lines that matter of what it printed. */
  lines: string[];
  /** A check that passed since and covers this one. */
  passed_since?: string;
}

interface FileRead {
  path: string;
  /** The line that was read last. */
  line?: number;
}

/** An identifier that the work was about, how often and how lately it was met, and the file that it was met in last. */
export interface NameInPlay {
  name: string;
  weight: number;
  file?: string;
}

export function emptyActivity(): Activity {
  return { turns: [], edits: [], results: [], reads: [], references: [], names: [] };
}
