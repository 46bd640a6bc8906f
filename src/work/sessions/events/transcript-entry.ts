import type { TranscriptPosition } from "../../state/activity.ts";

/** What an agent said and did since it was last looked at. */
export interface ActivityUpdate {
  /** Where the reader of the transcript began (undefined for its beginning) and stopped; missing if there is none. */
  readonly read?:
    | { readonly from: TranscriptPosition | undefined; readonly to: TranscriptPosition }
    | undefined;
  /** Whether this is the file that the client itself keeps for the session: only there is a typed line a person's. */
  readonly isClients: boolean;
  readonly entries: readonly TranscriptEntry[];
  /** The model that answered last. */
  readonly model?: string | undefined;
  /** The goal that the agent gave itself, where its client has a tool for that. */
  readonly goal?: string | undefined;
  /** The branch that the client last saw. */
  readonly branch?: string | undefined;
  /** The commands without a result: if the client was killed, they were running then. */
  readonly inFlight?: readonly CommandInFlight[] | undefined;
}

/** A command that was begun, and when. */
export interface CommandInFlight {
  readonly command: string;
  readonly at: string;
}

/** Longer prompts are cut in the middle, by hooks and transcripts alike: they are compared. */
export const LONGEST_PROMPT = 8000;

/** One thing that a transcript tells, whatever its client. Texts are capped, and redacted before they are reduced. */
export type TranscriptEntry = PromptEntry | SaidEntry | StepEntry | CompactedEntry;

/** What a person typed: a prompt, an answer to a question, or the reason for refusing a call. */
export interface PromptEntry {
  readonly kind: "prompt";
  readonly at: string;
  readonly text: string;
  /** What it answers, where the client says so. */
  readonly answers?: string | undefined;
  /** Whether a tool, a model or the client may have written it: then it is not taken for a person's. */
  readonly isDoubtful?: boolean | undefined;
  /** Whether it was typed while the agent worked. */
  readonly isMidTurn?: boolean | undefined;
}

/** The conversation was replaced by its summary. */
interface CompactedEntry {
  readonly kind: "compacted";
  readonly at: string;
}

export interface SaidEntry {
  readonly kind: "said";
  readonly at: string;
  readonly text: string;
  /** Whether it was written for people with a command: the message of a commit, the text of a pull request. */
  readonly isWritten?: boolean | undefined;
}

/** A tool call and how it ended. */
export interface CallOutcome {
  readonly tool: string;
  /** Null if the client does not say how it ended. */
  readonly ok: boolean | null;
  readonly command?: string | undefined;
  readonly check?: string | undefined;
  /** Whether the check failed, and its exit status was that of success. */
  readonly isHidden?: boolean | undefined;
}

/** The same with what it changed and printed, as far as a state keeps it. */
export interface ToolStep extends CallOutcome {
  readonly id: string;
  /** The changed files, relative to the project if they are inside it. */
  readonly files: readonly string[];
  /** What it printed, shortened: if something failed, or if it was much. */
  readonly output?: string | undefined;
  /** The client's name for a command that runs in the background. */
  readonly background?: string | undefined;
}

/** The same with what a briefing may tell of it. */
export interface StepEntry extends CallOutcome {
  readonly kind: "step";
  readonly at: string;
  /** What it was about, in a few words, if it is neither a command nor about a file. */
  readonly what?: string | undefined;
  /** The lines that matter of what it printed. */
  readonly lines?: readonly string[] | undefined;
  /** Lines that name commits, branches and pull requests. */
  readonly mentions?: readonly string[] | undefined;
  /** Identifiers that what was read repeats. */
  readonly names?: readonly string[] | undefined;
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly edits?: readonly EditEntry[] | undefined;
}

export interface EditEntry {
  readonly path: string;
  readonly change: "created" | "changed" | "deleted";
  /** The function or type that was changed, where more than its declaration is known. */
  readonly inside?: string | undefined;
  /** The lines that went and those that came. */
  readonly removed: string;
  readonly added: string;
  readonly counts: readonly [added: number, removed: number];
  /** The digests of the lines that came: see written-lines.ts. */
  readonly written: readonly number[];
}
