import { CLIENT_NAMES } from "../../../work/clients/clients.ts";
import type { CommandEntry } from "../../../work/verbs/spec.ts";
import { choice, flag, required } from "../../../work/verbs/command-words.ts";

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
  },
} as const satisfies Record<string, CommandEntry>;

/** Commands about the sessions of agent clients. */
export const SESSIONS = {
  sessions: {
    about: "List the agent sessions of this project: what each did, and how to go on",
    examples: [
      ["checkpoint sessions", "the 10 that were seen last"],
      ["checkpoint sessions --all", "all of them, also those of other projects that were imported"],
      ["checkpoint import claude", "add the sessions that Claude Code recorded itself"],
    ],
    options: { all: flag("All of them, also of other projects") },
    details:
      "A session that was killed cannot say so: it shows as died after half an hour of silence in the middle of work.",
  },
  "sessions show": {
    about: "Show an agent session: its work, its sub-agents, and how to go on",
    examples: [["checkpoint sessions show 0b6a9f0e", "the beginning of an id is enough"]],
    arguments: { session: required("ID", "A session's id, or its beginning") },
  },
} as const satisfies Record<string, CommandEntry>;
