import { choice, flag, required, text } from "../../verbs/command-words.ts";
import { enumOf, fields, nullableText, open, text as word } from "../../verbs/json-schema.ts";
import { FEW_TOOLS, NOT_ASKED } from "../../verbs/reasons.ts";
import type { VerbEntry } from "../../verbs/spec.ts";
import { FEED_KINDS } from "./feed-event.ts";

/** Verbs about what happens in a store, for programs that follow it. */
export const FEED = {
  events: {
    about: "List what happens: commits, sessions, runs, approvals, violations, breakers",
    examples: [
      ["checkpoint events", "everything that is kept, oldest first"],
      ["checkpoint events --only approval --follow", "wait for questions; Ctrl-C ends it"],
      [
        "checkpoint events --as bot --json",
        "what the program called bot has not acknowledged, one event a line",
      ],
    ],
    options: {
      follow: flag("Wait for more, until Ctrl-C"),
      as: text("NAME", "A consumer, whose cursor the store keeps: start behind what it acknowledged"),
      after: text("CURSOR", "Start behind the event with this cursor"),
      only: choice(FEED_KINDS, "Only events of this kind"),
    },
    details:
      "Printing an event does not acknowledge it: a consumer does that once it has dealt with it, with events ack. Every event is told at least once, and has an id by which a repeated one can be dropped. If the store was restored from a copy, or pruned, a notice says so before the events go on. More: docs/reference/events.md",
    result: () => EVENT,
    tool: FEW_TOOLS,
    page: NOT_ASKED,
  },
  "events ack": {
    about: "Acknowledge an event, and all before it, for a consumer",
    examples: [
      ["checkpoint events ack CURSOR --as bot", "with the cursor of the last event that bot dealt with"],
    ],
    arguments: { cursor: required("CURSOR", "The cursor of an event, as events --json prints it") },
    options: { as: text("NAME", "The consumer", { told: "The consumer." }) },
    result: () => fields({ consumer: word, cursor: word }),
    writes: "store",
    tool: FEW_TOOLS,
    page: NOT_ASKED,
    run: () => import("./events-ack.ts"),
    show: ({ consumer }: { readonly consumer: string }) => `Acknowledged for ${consumer}.`,
  },
} as const satisfies Record<string, VerbEntry>;

/** What each kind says besides is in docs/reference/events.md. */
const EVENT = open({
  id: word,
  cursor: word,
  at: word,
  trail: nullableText,
  kind: enumOf(...FEED_KINDS, "notice"),
  type: word,
});
