import { flag, required } from "../../verbs/command-words.ts";
import { count, fields, list, nullable, texts } from "../../verbs/json-schema.ts";
import type { VerbEntry } from "../../verbs/spec.ts";
import { SESSION } from "./results.ts";
import { STORY } from "./story-line.ts";

/** Verbs about the sessions of agent clients. */
export const SESSIONS = {
  sessions: {
    about: "List the agent sessions: what each did, how to resume it",
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
    about: "Tell the story of a session, live if it is under way",
    examples: [
      ["checkpoint sessions show 0b6a9f0e", "the beginning of an id is enough"],
      ["checkpoint sessions show 0b6a9f0e --follow", "and what comes, until it ends or Ctrl-C"],
    ],
    arguments: { session: required("ID", "A session's id, or its beginning") },
    options: { follow: flag("Wait for more, until the session ends or Ctrl-C") },
    details:
      "The story has what was asked, said and decided, edits, checks and what failed: all of it where the transcript was imported, otherwise what hooks recorded. With --follow and --json every part of the story is a document of its own.",
    result: () =>
      fields({
        session: SESSION,
        go_on: texts,
        tokens: nullable(count),
        story: STORY,
      }),
  },
} as const satisfies Record<string, VerbEntry>;
