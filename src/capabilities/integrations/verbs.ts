import type { CommandFunction } from "../../work/terminal/command.ts";
import { number } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import { FEW_TOOLS, NOT_ASKED } from "../../work/verbs/reasons.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";

/** Verbs about other services that are told of the project, and answer. */
const INTEGRATIONS = {
  "integrations run": {
    about: "Tell other services what happens, until Ctrl-C",
    examples: [["checkpoint integrations run", "all that cairn.yaml configures, in one process"]],
    file: "integrations-run",
    details:
      "Each service is told every event at least once, in order; a repeated one has the same id. What cannot be delivered is tried again for some minutes, then put aside: integrations dead. One process a project is enough. More: docs/integrations.md",
    result: () => json.fields({ outlets: json.texts, stopped: json.texts }),
  },
  "integrations listen": {
    about: "Take what other services send: approvals",
    examples: [
      ["checkpoint integrations listen --port 8080", "behind a proxy with TLS, on this machine only"],
    ],
    file: "integrations-listen",
    options: { port: number(0, "The port (default: any free one)", { maximum: 65_535 }) },
    details:
      "It listens on 127.0.0.1, with a path for each service: /github, /slack. Every request must carry the service's signature.",
    result: () => json.fields({ port: json.whole(), paths: json.texts }),
  },
  "integrations test": {
    about: "Say which integrations work, and what is missing",
    examples: [["checkpoint integrations test", "tries each once; a webhook is sent an event of type test"]],
    file: "integrations",
    result: () =>
      json.fields({
        checks: json.list(
          json.fields({ name: json.text, ok: json.flag, found: json.text, hint: json.nullableText }),
        ),
      }),
  },
  "integrations dead": {
    about: "List the events that could not be delivered",
    examples: [["checkpoint integrations dead", ""]],
    file: "integrations",
    result: () =>
      json.fields({
        letters: json.list(
          json.fields({
            outlet: json.text,
            reason: json.text,
            attempts: json.whole(),
            event: json.open({ id: json.text, at: json.text, type: json.text }),
          }),
        ),
      }),
  },
  "integrations resend": {
    about: "Deliver again what could not be delivered",
    examples: [["checkpoint integrations resend", "once the other side works again"]],
    file: "integrations",
    result: () => json.fields({ sent: json.whole(), left: json.whole() }),
    writes: "store",
  },
} as const satisfies Record<string, VerbEntry>;

export type IntegrationCommand<Name extends keyof typeof INTEGRATIONS> = CommandFunction<
  (typeof INTEGRATIONS)[Name]
>;

export const VERBS: readonly VerbTable[] = [
  {
    group: "sharing",
    entries: INTEGRATIONS,
    tool: FEW_TOOLS,
    page: NOT_ASKED,
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];
