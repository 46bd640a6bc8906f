import { CLIENT_NAMES } from "../../../work/clients/clients.ts";
import type { VerbEntry } from "../../../work/verbs/spec.ts";
import { choice, flag } from "../../../work/verbs/command-words.ts";

/** Commands that agent clients start, not people. */
export const AGENTS = {
  hook: {
    about: "Save an event from an agent client's hook, and answer it",
    examples: [
      ["checkpoint hook", "as the command of a hook, in Claude Code and Codex"],
      ["checkpoint hook --client gemini", "for a client that cannot be recognised by what it sends"],
      ["checkpoint hook --gate", "before each tool call: docs/governance.md has the whole hook"],
    ],
    options: {
      client: choice(CLIENT_NAMES, "Which client sends it, if that cannot be told from the event"),
      gate: flag("Ask the gate about the tool call that the event announces, and save nothing else"),
    },
    details:
      "Reads one event as JSON from stdin. Output on stdout is for the client. The exit status is always 0, so that an agent is never held up; a failure to save is reported once per session. With --gate one JSON document is printed, within 4 seconds, or the status says that there is none. docs/agents.md says what is captured.",
    result: () => null,
  },
  statusline: {
    about: "Print a status line for Claude Code",
    examples: [["checkpoint statusline", 'as "statusLine": {"type": "command", "command": …}']],
    details:
      "Reads the session from the JSON that Claude Code sends on stdin; without it, the project's own trail is meant.",
    result: () => null,
  },
} as const satisfies Record<string, VerbEntry>;
