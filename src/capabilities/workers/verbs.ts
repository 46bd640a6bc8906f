import type { CommandFunction } from "../../work/terminal/command.ts";
import { duration, flag, number, texts as severalTexts } from "../../work/verbs/command-words.ts";
import {
  count,
  fields,
  flag as truth,
  list,
  nullableText,
  text,
  texts,
} from "../../work/verbs/json-schema.ts";
import { FEW_TOOLS, IS_SHOWN } from "../../work/verbs/reasons.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";

const WORKER = fields({
  id: text,
  host: text,
  pid: count,
  queues: texts,
  slots: count,
  running: texts,
  since: text,
  seen: text,
  is_alive: truth,
  note: nullableText,
});

const WORKERS = {
  worker: {
    about: "Run steps of a shared store on this machine",
    examples: [
      ["checkpoint worker", "takes steps until SIGTERM or Ctrl-C, and then finishes what it has taken"],
      ["checkpoint worker --queue gpu --slots 1", "only steps with queue: gpu, one at a time"],
    ],
    options: {
      queue: severalTexts("NAME", "A queue to take steps from; may be given again (default: default)"),
      slots: number(1, "How many steps may run at the same time (default: 4)"),
      lease: duration("TIME", "How long until others take over from it (default: 30s)"),
      maxFileMb: number(1, "The biggest file that a step may register, in MB (default: 64)"),
      keepDays: number(1, "How long archived runs are kept, in days (default: 30)"),
      keepRuns: number(1, "How many archived runs of a workflow are kept (default: 10000)"),
      trustStore: flag("Run every step in the store, not only those that this checkout defines"),
    },
    details:
      "A step runs in a clean git worktree at the run's commit, with the registered files of the steps that it waits for, and nothing else. Secret inputs come from $INPUT_NAME of the worker.",
    result: () => fields({ drained: truth }),
  },
  workers: {
    about: "List the workers of a shared store: where, since when, and what they run",
    examples: [["checkpoint workers", "those that died within the last hour are shown as gone"]],
    result: () => fields({ workers: list(WORKER) }),
  },
} as const satisfies Record<string, VerbEntry>;

export const VERBS: readonly VerbTable[] = [
  {
    group: "workflows",
    entries: WORKERS,
    tool: FEW_TOOLS,
    page: IS_SHOWN,
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];

/** A command of this capability, by its name. */
export type WorkerCommand<Name extends keyof typeof WORKERS> = CommandFunction<(typeof WORKERS)[Name]>;
