import type { CommandSpec } from "../spec.ts";

const CLIENTS = ["claude", "codex", "gemini", "opencode"] as const;

/** Commands that agent clients start, not people. */
export const AGENTS = {
  hook: {
    name: "hook",
    about: "Save what an agent client's hook tells, and answer it",
    group: "setup",
    examples: [
      ["checkpoint hook", "as the command of a hook, in Claude Code and Codex"],
      ["checkpoint hook --client gemini", "where the client cannot be told by what it sends"],
    ],
    options: {
      client: { kind: "choice", choices: CLIENTS, about: "Who sends, instead of finding out" },
      event: { kind: "text", value: "EVENT", about: "Which event it is, for clients that do not say" },
    },
    details:
      "Reads one event as JSON from stdin. What goes to stdout is meant for the client. The exit status is always 0, so that an agent is never held up; what could not be saved is said once for a session. What is captured, and what is not: docs/agents.md.",
  },
} as const satisfies Record<string, CommandSpec>;
