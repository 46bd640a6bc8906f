import type { CommandEntry } from "../spec.ts";

const CLIENTS = ["claude", "codex", "gemini", "opencode"] as const;

/** Commands that agent clients start, not people. */
export const AGENTS = {
  hook: {
    about: "Save an event from an agent client's hook, and answer it",
    examples: [
      ["checkpoint hook", "as the command of a hook, in Claude Code and Codex"],
      ["checkpoint hook --client gemini", "where the client cannot be recognised by what it sends"],
    ],
    options: {
      client: { kind: "choice", choices: CLIENTS, about: "Who sends, instead of finding out" },
      event: { kind: "text", value: "EVENT", about: "Which event it is, for clients that do not say" },
    },
    details:
      "Reads one event as JSON from stdin. Output on stdout is for the client. The exit status is always 0, so that an agent is never held up; a failure to save is reported once per session. docs/agents.md says what is captured.",
  },
} as const satisfies Record<string, CommandEntry>;
