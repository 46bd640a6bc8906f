import type { Environment } from "../machine/environment.ts";

/** The fields of an event, unchecked. */
export type Fields = Readonly<Record<string, unknown>>;

/** An event, whatever its client calls it. */
export interface ClientEvent {
  /** `start`, `prompt`, `stop` and so on: src/work/sessions/events lists them. */
  readonly moment: string;
  readonly fields: Fields;
}

/** A file of settings that our hooks, our MCP server or both go into. */
export interface SettingsFile {
  /** Below the folder of the client's settings. */
  readonly file: string;
  /** The packaged file with our hooks, below examples/clients. */
  readonly hooks?: string;
  /** What the client needs for the MCP server in addition to its command. */
  readonly server?: object;
  /** Whether the settings switch hooks off: where they do, those have to be switched on again. */
  readonly isOff?: (settings: unknown) => boolean;
}

/**
 * Everything that is particular to one agent client; all else goes through the list in clients.ts. Only the reader of its
 * transcript is elsewhere, in sessions/transcripts: a hook that hands its event over to a server must not load that.
 */
export interface AgentClient {
  /** The name that checkpoints record it under. */
  readonly id: string;
  /** The name that people know it by. */
  readonly product: string;
  /** Variables in which it tells the commands it runs which session they belong to. */
  readonly sessionVariables?: readonly string[];
  /** Other variables that it sets for the commands that it runs. */
  readonly shellVariables?: readonly string[];
  /** Variables that say where its transcripts are. */
  readonly homeVariables?: readonly string[];
  /** What its process is called. */
  readonly programs: readonly string[];
  /** The variable with its own process id. One client may run inside another, and inherit its variables. */
  readonly pidVariable?: string;
  /** The variable with the folder that the session was started in. */
  readonly folderVariable?: string;
  /** Whether a process has one session at a time, so that a later one has replaced it. */
  readonly hasOneSession?: boolean;
  /** Its own command to resume a session, if it has one. */
  readonly resume?: (sessionId: string) => string;

  /** Where its settings are; undefined when nothing says where the user's home is. */
  readonly settings: (env: Environment) => string | undefined;
  /** What goes into them, for clients that need only hooks and a server. */
  readonly settingsFiles?: readonly SettingsFile[];

  /** Whether only this client sends such an event. */
  readonly sends?: (sent: Fields) => boolean;
  /** An event with the usual names of events and fields. */
  readonly translate?: (sent: Fields) => Fields;
  /** Whether the model is shown what the answer to an event says; if missing, the usual events. */
  readonly takesContext?: (event: ClientEvent) => boolean;
  /** The answer to an event, where its form is not the usual one. */
  readonly answer?: (event: ClientEvent, context: string | undefined) => string;
  /** The answer to an event that is ignored; nothing if missing. */
  readonly emptyAnswer?: string;
  /** What its summarizer is told before a compaction: the record, or only the checkpoint; nothing if missing. */
  readonly toldBeforeCompaction?: (event: ClientEvent) => "record" | "checkpoint";
  /** Whether it announces compactions that it does not make: then they are counted in its transcript. */
  readonly announcesTooMuch?: boolean;
  /** Whether agents without a type are its own, and not part of the work. */
  readonly hasOwnAgents?: boolean;
  /** Whether the person can be asked about a call that the gate does not decide. */
  readonly asksAtGate?: boolean;
  /** Whether the first prompt may be reported before the start of the session that it belongs to. */
  readonly mayPromptFirst?: boolean;
  /** Whether its calls of MCP tools name the session. */
  readonly namesSessionInCalls?: boolean;

  /** The most tokens of a text that it shows the model, where it counts those. */
  readonly maxTokens?: number;
  /** Whose tokens its model reads; Claude's if missing. */
  readonly family?: "gpt" | "gemini";
  /** Whether its conversations keep what a hook added to them; otherwise that is forgotten when a session is resumed. */
  readonly keepsContext?: boolean;
  /** The session that one was forked from, as the beginning of its transcript names it. */
  readonly forkedFrom?: (head: string, sessionId: string) => string | undefined;
  /** Whether a fork shows only in its transcript. */
  readonly forksSilently?: boolean;
  /** The folder with a file for each task of a session. */
  readonly taskFolder?: (env: Environment, sessionId: string) => string | undefined;

  /** Whether every session has a transcript that tells of its calls. */
  readonly alwaysHasTranscript?: boolean;
  /** Whether sessions that it recorded can be imported. */
  readonly isImportable?: boolean;

  /** For docs/reference/clients.md. */
  readonly page: ClientPage;
}

/** What the documentation says of a client. */
interface ClientPage {
  readonly gets: string;
  readonly setUpBy: string;
  readonly tested: string;
  /** What a session under way hears with the next prompt, and otherwise. */
  readonly hears: readonly [withPrompt: string, otherwise: string];
  /** What was seen with the real client, by the rows of the table; the version is the one that it was seen with. */
  readonly seen?: { readonly version: string; readonly rows: Readonly<Record<SeenRow, string>> };
}

/** What was looked at with the real clients; scripts/clients-page.ts has the words. */
export type SeenRow =
  | "killed"
  | "continued"
  | "running"
  | "confirmed"
  | "resumed"
  | "resumedOften"
  | "compacted"
  | "ruled"
  | "ruledBefore"
  | "checked"
  | "settings";
