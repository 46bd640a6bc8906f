import { flag, required } from "../../verbs/command-words.ts";
import { count, fields, list, texts } from "../../verbs/json-schema.ts";
import type { VerbEntry } from "../../verbs/spec.ts";
import { SESSION } from "./results.ts";

/** Verbs about the sessions of agent clients. */
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
    result: () => fields({ sessions: list(SESSION), more: count }),
    tool: "an agent needs its own session, which handoff is about",
    page: {},
    run: () => import("./sessions.ts"),
  },
  "sessions show": {
    about: "Show an agent session: its work, its sub-agents, and how to go on",
    examples: [["checkpoint sessions show 0b6a9f0e", "the beginning of an id is enough"]],
    arguments: { session: required("ID", "A session's id, or its beginning") },
    result: () => fields({ session: SESSION, go_on: texts }),
  },
} as const satisfies Record<string, VerbEntry>;
