import { WRITING, duration, flag, pairs, text, typed } from "../../verbs/command-words.ts";
import { fields, ref } from "../../verbs/json-schema.ts";
import { IS_SHOWN } from "../../verbs/reasons.ts";
import type { VerbEntry } from "../../verbs/spec.ts";

/** Verbs that save where the work stands. */
export const SAVING = {
  now: {
    about: "Save a checkpoint of where the work stands",
    examples: [
      ["checkpoint now", "save, with what git and the declared services say"],
      ['checkpoint now --notes "Before the migration"', "say why"],
      ["checkpoint now --var region eu --var build 42", "set variables, which stay until unset"],
      ["checkpoint now --files", "with the project's files: checkpoint rewind brings them back"],
      ["checkpoint now --json", "the whole checkpoint, for programs"],
    ],
    options: {
      notes: text("TEXT", "Why you save, for readers of the list"),
      files: flag("Keep the files as they are now, too"),
      var: typed(pairs("KEY VALUE", "Set a variable; repeat it for more")),
      ...WRITING,
    },
    wire: {
      variables: {
        kind: "values",
        about: "Values to keep until they are changed, such as a region or a build number",
      },
    },
    details:
      "Saves goal, phase, tasks, decisions and variables as they are, and adds what can be seen from outside: the git branch, commit and files touched since the last checkpoint, the state of the services that cairn.yaml declares, the phase of the plan file if there is one, and what your collectors print (docs/reference/collectors.md). The first checkpoint of a project creates the folder .cairn at its root.",
    result: () => ref("checkpoint"),
    writes: "trail",
    tool: {
      name: "now",
      title: "Save a checkpoint",
      description:
        "Save where the work stands now: tasks, decisions and variables as they are, with what git says about the files. Call it before something risky and after each step that matters.",
      effect: "adds",
      only: ["notes", "trail", "variables"],
    },
    page: IS_SHOWN,
    run: () => import("./now.ts"),
  },
  watch: {
    about: "Save every few minutes while something changes",
    examples: [["checkpoint watch --every 5m", "until Ctrl-C"]],
    options: { every: duration("TIME", "How often: 30s, 5m, 1h (default: 5m)"), ...WRITING },
    details: "For agents without hooks. Nothing is saved while nothing changes.",
    result: () => fields({ checkpoint: ref("checkpoint_info") }),
  },
} as const satisfies Record<string, VerbEntry>;
