import type { CommandFunction } from "../../work/terminal/command.ts";
import * as json from "../../work/verbs/json-schema.ts";
import { FEW_TOOLS, NOT_ASKED } from "../../work/verbs/reasons.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";

/** Verbs for programs that watch. */
const TELEMETRY = {
  metrics: {
    about: "Print numbers about the project, as Prometheus text",
    examples: [
      ["checkpoint metrics", "commits, bytes, runs, questions that wait, events that did not arrive"],
      ["checkpoint metrics > /var/lib/node_exporter/shop.prom", "for the textfile collector, by the clock"],
    ],
    file: "metrics",
    result: () =>
      json.fields({
        metrics: json.list(
          json.fields({
            name: json.text,
            type: json.enumOf("counter", "gauge"),
            help: json.text,
            samples: json.list(json.fields({ labels: json.map(json.text), value: json.number })),
          }),
        ),
      }),
  },
} as const satisfies Record<string, VerbEntry>;

export type TelemetryCommand<Name extends keyof typeof TELEMETRY> = CommandFunction<(typeof TELEMETRY)[Name]>;

export const VERBS: readonly VerbTable[] = [
  {
    group: "setup",
    entries: TELEMETRY,
    tool: FEW_TOOLS,
    page: NOT_ASKED,
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];
