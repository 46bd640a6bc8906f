import {
  ID,
  TRAIL,
  WRITING,
  checkpoint,
  flag,
  needed,
  optional,
  required,
  text,
  typed,
} from "../../verbs/command-words.ts";
import * as json from "../../verbs/json-schema.ts";
import { INFO, open } from "../../verbs/json-schema.ts";
import { NOT_ASKED } from "../../verbs/reasons.ts";
import type { UntypedVerb, VerbEntry } from "../../verbs/spec.ts";

const committed = () => open({ checkpoint: open(INFO) });

const TAGGED = json.fields({ name: json.text, checkpoint: json.ref("checkpoint_info") });

const trail = open({
  name: json.text,
  is_current: json.flag,
  checkpoints: json.whole(0),
  head: json.nullable(open(INFO)),
  forked_from: json.described(
    "The checkpoint of another trail that it continues from.",
    json.nullable(open({ checkpoint_id: json.text, trail: json.text, created_at: json.text })),
  ),
});

/** Verbs that go back and branch. */
export const HISTORY = {
  restore: {
    about: "Bring back the state of an earlier checkpoint",
    examples: [["checkpoint restore ckpt-20260123-12", "as a new checkpoint; undo reverts it"]],
    arguments: { id: checkpoint("required") },
    options: { notes: text("TEXT", "Why"), ...WRITING },
    details:
      "Restores the recorded state, not files or services. Nothing is lost: the newer checkpoints stay.",
    result: committed,
    writes: "trail",
    page: {},
    run: () => import("./go-back.ts"),
  },
  undo: {
    about: "Undo the newest change",
    file: "restore",
    examples: [
      ["checkpoint undo", "one step; again, one step further"],
      ["checkpoint log", "see what would be undone"],
    ],
    options: { notes: text("TEXT", "Why"), ...WRITING },
    details:
      "If the last thing that happened was a rewind of files, that is taken back, and the recorded work stays as it is.",
    result: committed,
    writes: "trail",
    page: NOT_ASKED,
  },
  fork: {
    about: "Start a new trail from a checkpoint",
    file: "restore",
    examples: [
      ["checkpoint fork --as try-redis", "from the newest"],
      ["checkpoint fork ckpt-20260123-12 --as try-redis", "from an earlier one"],
    ],
    arguments: { id: checkpoint("optional", { about: `${ID} (default: the newest)` }) },
    options: {
      as: needed(text("TRAIL", "The new trail's name")),
      notes: text("TEXT", "Why"),
      ...WRITING,
    },
    details: "Nothing is copied: both trails share what they have in common.",
    result: committed,
    writes: "store",
    page: {},
    run: () => import("./go-back.ts"),
  },
  tag: {
    about: "Name a checkpoint, which also protects it from pruning",
    examples: [
      ["checkpoint tag before-migration", "the newest"],
      ["checkpoint tag v1 @~2", "an earlier one; a name that is in use moves"],
      ["checkpoint restore before-migration", "a tag works wherever an id does"],
      ["checkpoint tag", "all of them"],
    ],
    arguments: { name: needed(optional("NAME", "The name", { max: 100 })), id: checkpoint("optional") },
    options: { delete: typed(flag("Remove the name; the checkpoint stays")), ...TRAIL },
    result: () => ({
      ...json.fields({ tags: json.list(TAGGED), removed: TAGGED, moved_from: json.nullableText }),
      required: ["tags"],
    }),
    writes: "store",
    page: {},
    run: () => import("./tags.ts"),
  },
  untag: { command: "tag --delete takes a name away", writes: "store", page: NOT_ASKED },
  tags: { command: "tag without a name lists them", page: NOT_ASKED },
  trails: {
    about: "List the trails, newest first",
    examples: [
      ["checkpoint trails", "with how many checkpoints each has; * is the one you work on"],
      ["checkpoint trails --prefix session/", "those of agent sessions"],
    ],
    options: { prefix: text("TEXT", "Only those whose names begin like this", { max: 200 }) },
    result: () => open({ trails: json.list(trail) }),
    page: {},
    run: () => import("./trails.ts"),
  },
  "trails rename": {
    about: "Rename a trail",
    examples: [["checkpoint trails rename trial redis", ""]],
    arguments: { from: required("TRAIL", "The trail"), to: required("NAME", "Its new name") },
    details:
      "A new checkpoint records the rename. The trails of runs, sessions and progress files keep their names.",
    verb: "trailRename",
    result: () => open({ from: json.text, to: json.text, checkpoint: open(INFO) }),
    writes: "store",
  },
  "trails delete": {
    about: "Delete a trail and its checkpoints; this cannot be undone",
    examples: [["checkpoint trails delete trial --yes", ""]],
    arguments: { name: required("TRAIL", "The trail") },
    options: { yes: typed(flag("Do not ask")) },
    details:
      "Checkpoints that are tagged, or that other trails forked from, stay. To remove a run, use checkpoint archive and checkpoint clean.",
    verb: "trailDelete",
    result: () => open({ trail: json.text, removed: json.whole(0), kept: json.whole(0) }),
    writes: "store",
  },
} as const satisfies Record<string, VerbEntry | UntypedVerb>;
