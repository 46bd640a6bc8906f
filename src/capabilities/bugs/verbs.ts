import type { CommandFunction } from "../../work/terminal/command.ts";
import { flag, required, text, typed } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import { FEW_TOOLS, NOT_ASKED } from "../../work/verbs/reasons.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";

const CHANGE = json.nullable(json.fields({ files: json.texts, commits: json.texts }));
export type ChangeBetween = NonNullable<json.ValueOf<typeof CHANGE>>;

const BUG = json.fields({
  number: json.whole(),
  id: json.text,
  tool: json.nullableText,
  title: json.text,
  file: json.nullableText,
  kind: json.enumOf("project", "slip"),
  status: json.enumOf("open", "settled", "resolved"),
  first_seen: json.text,
  last_seen: json.text,
  times: json.whole(),
  /** How often it came back after it was settled or resolved. */
  returned: json.whole(),
  trails: json.texts,
  agents: json.texts,
  /** The check that found it, and the lines that it printed when it was seen last. */
  check: json.text,
  lines: json.texts,
  /** What was changed between the last pass and the first failure; null if the check was never seen to pass. */
  since: CHANGE,
  /** The check that passed since, or the person who resolved it. */
  settled: json.nullable(json.fields({ at: json.text, by: json.text, change: CHANGE })),
});
/** A problem of the list. */
export type Bug = json.ValueOf<typeof BUG>;

const NUMBER = required("NUMBER", "A bug's number, or its id", { max: 40 });

/** Verbs about what fails. */
export const BUGS = {
  bugs: {
    file: "bugs",
    about: "List the distinct problems behind failing checks",
    examples: [
      ["checkpoint bugs", "what is open, the last seen first"],
      ["checkpoint bugs --all", "with what was settled since"],
      ["checkpoint bugs --watch", "tell of each problem as it comes and goes, until Ctrl-C"],
    ],
    options: {
      all: flag("Also those that were settled or resolved"),
      watch: typed(flag("Go on watching, until Ctrl-C")),
    },
    details:
      "Read from what sessions and runs recorded: the output decides, not the exit status alone. A problem keeps its number wherever its lines move. A check that passes settles what it had found; what comes back opens again.",
    result: () =>
      json.fields({
        bugs: json.list(BUG),
        closed: json.whole(),
        slips: json.list(
          json.fields({ id: json.text, title: json.text, times: json.whole(), last_seen: json.text }),
        ),
      }),
    writes: "store",
    run: () => import("./bugs.ts"),
  },
  "bugs show": {
    file: "bugs",
    about: "Show a bug: what was printed, since which change, who met it",
    examples: [["checkpoint bugs show 1", "by its number in the list"]],
    arguments: { number: NUMBER },
    result: () => BUG,
    writes: "store",
    run: () => import("./bugs.ts"),
  },
  "bugs resolve": {
    file: "bugs",
    about: "Close a bug that no check will settle; it opens again if it comes back",
    examples: [['checkpoint bugs resolve 1 --why "The test server is gone"', "with the reason"]],
    arguments: { number: NUMBER },
    options: { why: text("TEXT", "Why it is dealt with") },
    result: () => BUG,
    writes: "store",
    run: () => import("./bugs.ts"),
  },
} as const satisfies Record<string, VerbEntry>;

export type BugCommand<Name extends keyof typeof BUGS> = CommandFunction<(typeof BUGS)[Name]>;

export const VERBS: readonly VerbTable[] = [
  {
    group: "saving",
    entries: BUGS,
    tool: FEW_TOOLS,
    page: NOT_ASKED,
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];
