import type { CommandFunction, EntryOptions } from "../../work/terminal/command.ts";
import { choice, flag } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";
import { SETUP_CLIENTS } from "./setup/setup-clients.ts";

const SETUP = {
  init: {
    about: "Set up your agent clients to save by themselves",
    examples: [
      ["checkpoint init", "make .cairn, show what the clients' settings would get, and ask"],
      ["checkpoint init --yes", "write it without asking; running it twice does no harm"],
      ["checkpoint init --dry-run", "write nothing, show every line"],
      ["checkpoint init --remove", "remove from the clients' settings what init put there"],
      ["checkpoint init --config", "also write a cairn.yaml to fill in"],
    ],
    options: {
      client: choice(SETUP_CLIENTS, "Only this one, even if it is not found here"),
      yes: flag("Write the clients' settings without asking"),
      dryRun: flag("Only show what would be written"),
      remove: flag("Remove what init wrote into the clients' settings"),
      config: flag("Also write a commented cairn.yaml"),
    },
    details:
      "Clients are found by their settings or their command; where there is none, agents are asked through AGENTS.md. Settings are merged, with a backup beside them; a file that cannot be parsed is refused with its line, and then nothing is written. The store itself needs no init: the first checkpoint creates it.",
    result: () =>
      json.fields({
        root: json.text,
        store: json.nullable(json.fields({ path: json.text, made: json.text })),
        config: json.nullable(json.fields({ path: json.text, made: json.text })),
        clients: json.list(
          json.fields({
            client: json.enumOf(...SETUP_CLIENTS),
            name: json.text,
            changes: json.list(
              json.fields({
                path: json.text,
                action: json.enumOf("none", "create", "change", "delete"),
                what: json.text,
                done: json.flag,
              }),
            ),
            notes: json.texts,
          }),
        ),
      }),
  },
} as const satisfies Record<string, VerbEntry>;

export const VERBS: readonly VerbTable[] = [
  {
    group: "setup",
    entries: SETUP,
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];

/** A command of this capability, by its name, and what it is called with. */
export type ClientCommand<Name extends keyof typeof SETUP> = CommandFunction<(typeof SETUP)[Name]>;
export type ClientOptions<Name extends keyof typeof SETUP> = EntryOptions<(typeof SETUP)[Name]>;
