import type { CommandFunction } from "../../work/terminal/command.ts";
import { required, text } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";

/** Which store is used, and who works in it. */
const storeStatus = () =>
  json.fields({
    kind: json.enumOf("local", "shared"),
    id: json.text,
    durability: json.enumOf("durable", "cache"),
    trails: json.count,
    work: json.nullable(
      json.fields({
        workers: json.list(
          json.fields({
            host: json.text,
            pid: json.count,
            queues: json.texts,
            slots: json.count,
            running: json.count,
            note: json.nullableText,
          }),
        ),
        queues: { type: "object" },
        oldest_lease_ms: json.nullable({ type: "integer" }),
      }),
    ),
  });

const STORES = {
  "store copy": {
    about: "Copy all trails of one store into another, and verify the copy",
    examples: [
      ["checkpoint store copy local shared", "from .cairn to the shared store; again, to complete it"],
      ["checkpoint store copy shared local", "and back"],
    ],
    arguments: {
      from: required("FROM", "local, shared, a postgres:// URL or a project's folder"),
      to: required("TO", "The same; nothing in it may have gone its own way"),
    },
    details: "Copy while nothing writes. What was pruned stays behind, and so does the memory of it.",
    result: () => json.fields({ trails: json.count, checkpoints: json.count, present: json.count }),
  },
  "store migrate": {
    about: "Create the shared store, or bring it up to date",
    examples: [
      ["checkpoint store migrate", "as the owner of the schema"],
      ["checkpoint store migrate --role worker", "this role may use it, but not change its tables"],
    ],
    options: { role: text("ROLE", "A role of PostgreSQL that may use the store") },
    result: () => json.fields({ from: json.count, to: json.count, role: json.nullableText }),
  },
  "store status": {
    about: "Show which store is used, and whether it is durable",
    examples: [["checkpoint store status", ""]],
    result: storeStatus,
  },
} as const satisfies Record<string, VerbEntry>;

export const VERBS: readonly VerbTable[] = [
  {
    group: "keeping",
    entries: STORES,
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];

/** A command of this capability, by its name. */
export type StoreCommand<Name extends keyof typeof STORES> = CommandFunction<(typeof STORES)[Name]>;
