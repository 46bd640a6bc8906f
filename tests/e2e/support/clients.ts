import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Turn } from "./dialects/dialect.ts";
import { claudeProfile, codexProfile, copilotProfile, geminiProfile, opencodeProfile } from "./profiles.ts";
import type { ClientProfile } from "./real-client.ts";

type Call = Extract<Turn, { calls: string }>;

/** What is different between the clients. */
export interface ClientKind {
  /** As `checkpoint init` calls it, and as sessions record it. */
  readonly id: string;
  readonly session: string;
  readonly program: string | undefined;
  readonly profile: (modelUrl: string) => ClientProfile;
  readonly prompt: (words: string) => string[];
  readonly resume: (id: string, words: string) => string[];
  readonly shell: (command: string) => Call;
  /** What it calls our tool `search`; missing where `checkpoint init` sets up no tools, or the model must ask for them first. */
  readonly searchTool?: string;
  /** The folder below the home in which it keeps its transcripts. */
  readonly transcripts: string;
  /** Whether a call is in the transcript before it has ended. */
  readonly writesRunningCalls: boolean;
}

const bash = (calls: string) => (command: string) => ({ calls, with: { command, description: "run" } });

export const CLIENTS: readonly ClientKind[] = [
  {
    id: "claude",
    session: "claude-code",
    program: process.env["CAIRN_TEST_CLAUDE"],
    profile: claudeProfile,
    prompt: (words) => [words],
    resume: (id, words) => ["--resume", id, words],
    shell: bash("Bash"),
    transcripts: "claude/projects",
    writesRunningCalls: true,
  },
  {
    id: "codex",
    session: "codex",
    program: process.env["CAIRN_TEST_CODEX"],
    profile: codexProfile,
    prompt: (words) => [words],
    resume: (id, words) => ["resume", id, words],
    shell: (cmd) => ({ calls: "exec_command", with: { cmd } }),
    transcripts: "codex/sessions",
    writesRunningCalls: true,
  },
  {
    id: "gemini",
    session: "gemini-cli",
    program: process.env["CAIRN_TEST_GEMINI"],
    profile: geminiProfile,
    prompt: (words) => ["--prompt", words],
    resume: (id, words) => ["--resume", id, "--prompt", words],
    shell: bash("run_shell_command"),
    searchTool: "mcp_cairn_search",
    transcripts: ".gemini/tmp",
    writesRunningCalls: false,
  },
  {
    id: "opencode",
    session: "opencode",
    program: process.env["CAIRN_TEST_OPENCODE"],
    profile: opencodeProfile,
    prompt: (words) => [words],
    resume: (id, words) => ["--session", id, words],
    shell: bash("bash"),
    transcripts: ".local/share/opencode",
    writesRunningCalls: true,
  },
  {
    id: "copilot",
    session: "copilot-cli",
    program: process.env["CAIRN_TEST_COPILOT"],
    profile: copilotProfile,
    prompt: (words) => ["-p", words],
    resume: (id, words) => [`--resume=${id}`, "-p", words],
    shell: bash("bash"),
    searchTool: "cairn-search",
    transcripts: ".copilot/session-state",
    writesRunningCalls: true,
  },
];

/** The clients that run here; the others are named, so that nobody takes them for tested. */
export function installedClients(): readonly ClientKind[] {
  for (const { id, program } of CLIENTS)
    if (program === undefined) console.warn(`Skipped: sessions with the real ${id}, which is not here.`);
  return CLIENTS.filter(({ program }) => program !== undefined);
}

/** Waits until a client has written these words to a file: clients write their transcripts a moment later. */
export async function isWritten(folder: string, words: string): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  for (let tries = 0; tries < 300; tries += 1) {
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
      join(folder, name),
    );
    if (paths.some((path) => statSync(path).isFile() && readFileSync(path).includes(words))) return true;
    await wait(100);
  }
  return false;
}
