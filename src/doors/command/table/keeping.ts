import type { CommandEntry } from "../../../work/verbs/spec.ts";
import {
  ID,
  TRAIL,
  WRITING,
  checkpoint,
  flag,
  number,
  optional,
  required,
  text,
} from "../../../work/verbs/command-words.ts";

/** Commands that go back and branch. */
export const HISTORY = {
  restore: {
    about: "Bring back the state of an earlier checkpoint",
    examples: [["checkpoint restore ckpt-20260123-12", "as a new checkpoint; undo reverts it"]],
    arguments: { id: checkpoint("required") },
    options: { notes: text("TEXT", "Why"), ...WRITING },
    details:
      "Restores the recorded state, not files or services. Nothing is lost: the newer checkpoints stay.",
  },
  undo: {
    about: "Undo the newest change",
    file: "restore",
    examples: [
      ["checkpoint undo", "one step; again, one step further"],
      ["checkpoint log", "see what would be undone"],
    ],
    options: { notes: text("TEXT", "Why"), ...WRITING },
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
      as: text("TRAIL", "The new trail's name"),
      notes: text("TEXT", "Why"),
      ...WRITING,
    },
    details: "Nothing is copied: both trails share what they have in common.",
  },
  tag: {
    about: "Name a checkpoint, which keeps it from being pruned; or list the names",
    examples: [
      ["checkpoint tag before-migration", "the newest"],
      ["checkpoint tag v1 @~2", "an earlier one; a name that is in use moves"],
      ["checkpoint restore before-migration", "a tag works wherever an id does"],
      ["checkpoint tag", "all of them"],
    ],
    arguments: { name: optional("NAME", "The name"), id: checkpoint("optional") },
    options: { delete: flag("Remove the name; the checkpoint stays"), ...TRAIL },
  },
  trails: {
    about: "List the trails, the one that moved last first",
    examples: [
      ["checkpoint trails", "with how many checkpoints each has; * is the one you work on"],
      ["checkpoint trails --prefix session/", "those of agent sessions"],
    ],
    options: { prefix: text("TEXT", "Only those whose names begin like this") },
  },
  "trails rename": {
    about: "Give a trail another name, with all its checkpoints",
    examples: [["checkpoint trails rename trial redis", ""]],
    arguments: { from: required("TRAIL", "The trail"), to: required("NAME", "Its new name") },
    details:
      "A new checkpoint records the rename. The trails of runs, sessions and progress files keep their names.",
  },
  "trails delete": {
    about: "Delete a trail with its checkpoints, which cannot be undone",
    examples: [["checkpoint trails delete trial --yes", ""]],
    arguments: { name: required("TRAIL", "The trail") },
    options: { yes: flag("Do not ask") },
    details:
      "Checkpoints that are tagged, or that other trails forked from, stay. To remove a run, use checkpoint archive and checkpoint clean.",
  },
} as const satisfies Record<string, CommandEntry>;

/** Commands that thin out, check, and carry checkpoints elsewhere. */
export const KEEPING = {
  prune: {
    about: "Remove old checkpoints, keeping the newest",
    examples: [
      ["checkpoint prune --dry-run", "what would go, and why the rest stays"],
      ["checkpoint prune", "keep the newest 50"],
      ["checkpoint prune --keep 10 --all", "the newest 10 of each trail"],
    ],
    options: {
      keep: number(1, "How many stay (default: 50)"),
      all: flag("In each trail"),
      dryRun: flag("Only show what would happen"),
      ...TRAIL,
    },
    details: "Tagged checkpoints, fork points and what a pending approval needs always stay.",
  },
  verify: {
    about: "Check every byte against its hash",
    examples: [
      ["checkpoint verify", "status 5 if something is damaged, with what it costs"],
      ["checkpoint verify --repair", "trails with a damaged head go on from what is whole"],
    ],
    options: { repair: flag("Bring back the newest whole state where a head is damaged") },
    details:
      "A repair saves that state as a new checkpoint and removes nothing: the damaged one stays in the history. Runs are left alone, because going back would do their steps again. It ends with status 0 when every trail can go on, although what is damaged stays damaged.",
  },
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
    details: "Copy while nobody writes. What was pruned stays behind, and so does the memory of it.",
  },
  "store migrate": {
    about: "Create the shared store, or bring it up to date",
    examples: [
      ["checkpoint store migrate", "as the owner of the schema"],
      ["checkpoint store migrate --role worker", "this role may use it, but not change its tables"],
    ],
    options: { role: text("ROLE", "A role of PostgreSQL that may use the store") },
  },
  "store status": {
    about: "Show which store is used, and whether it is durable",
    examples: [["checkpoint store status", ""]],
  },
  "store salvage": {
    about: "Copy all that verifies of a damaged store into a new one, and list the rest",
    examples: [
      ["checkpoint store salvage", "from .cairn into .cairn-salvaged, beside it"],
      ["checkpoint store salvage --to ~/rescued", "into another new folder"],
    ],
    options: { to: text("FOLDER", "The new store's folder (default: .cairn-salvaged)") },
    details:
      "Reads every page of the store, its log and the logs that were kept, whatever became of the rest; the damaged store is not changed. Each trail continues from its head, or from its newest checkpoint that is whole. What was pruned stays away. End what uses the store first: what is saved meanwhile may be missing. To use the new store, move .cairn away and the new folder to its place. Status 5 if something was lost.",
  },
  export: {
    about: "Write a checkpoint or a whole trail to a file",
    examples: [
      ["checkpoint export > latest.json", "the newest checkpoint, as JSON"],
      ["checkpoint export ckpt-20260123-12 --output one.json", "another one"],
      ["checkpoint export --trail main --history --output main.cairn", "a trail with its history"],
      ["checkpoint export --transcript 0b6a9f0e --output t.jsonl", "a transcript, as the client wrote it"],
    ],
    arguments: { id: checkpoint("optional") },
    options: {
      output: text("FILE", "Where to (default: stdout)"),
      history: flag("The trail with all its checkpoints"),
      transcript: text("ID", "An archived transcript, by its session"),
      ...TRAIL,
    },
  },
  import: {
    about: "Read checkpoints from a file, or agent sessions from claude or codex",
    examples: [
      ["checkpoint import main.cairn", "what checkpoint export wrote"],
      ["checkpoint import memory/state/phase.json", "what other tools left behind"],
      ["checkpoint import claude --dry-run", "which sessions Claude Code recorded for this project"],
      ["checkpoint import claude", "read them, and archive their transcripts"],
      ["checkpoint import codex --since 7d", "those of Codex of the last week"],
    ],
    arguments: { file: required("FILE", 'The file; "-" is stdin; "claude" or "codex"') },
    options: {
      as: text("TRAIL", "Into a trail of this name"),
      trust: flag("Trust its record of who wrote what: an export of your own"),
      session: text("ID", "Only this session: its id, or its transcript's file"),
      since: text("TIME", "Only sessions used since: 7d, 12h, 2026-01-23"),
      all: flag("Sessions of every project, not just of this one"),
      dryRun: flag("Only show what would happen"),
      ...WRITING,
    },
    details:
      "Also reads checkpoint.json of autonomous-dev, and phase.json and execution.json of dotagent. Sessions of agent clients become trails of their own (session/ID): goal, tasks, files, commands, last message. Their transcripts are archived (transcript/CLIENT/ID), because clients delete them after some weeks; a second import adds only what is new. Secrets are taken out of both. To import a file that is called claude, type ./claude. Anybody can write a file, so a summary calls what came from one [imported], until it is said again here (checkpoint goal, checkpoint next); --trust keeps what it says itself.",
  },
} as const satisfies Record<string, CommandEntry>;
