import type { CommandEntry } from "../spec.ts";
import { ID, TRAIL, WRITING } from "./shared.ts";

/** Commands that go back and branch. */
export const HISTORY = {
  restore: {
    about: "Bring the state of an earlier checkpoint back",
    examples: [["checkpoint restore ckpt-20260123-12", "as a new checkpoint; undo takes it back"]],
    arguments: { id: { kind: "required", value: "ID", about: ID } },
    options: { notes: { kind: "text", value: "TEXT", about: "Why" }, ...WRITING },
    details:
      "Restores the recorded state, not files or services. Nothing is lost: the newer checkpoints stay.",
  },
  undo: {
    about: "Take the newest change back",
    examples: [
      ["checkpoint undo", "one step; again, one step further"],
      ["checkpoint log", "see what would be taken back"],
    ],
    options: { notes: { kind: "text", value: "TEXT", about: "Why" }, ...WRITING },
  },
  fork: {
    about: "Start a new trail from a checkpoint",
    examples: [
      ["checkpoint fork --as try-redis", "from the newest"],
      ["checkpoint fork ckpt-20260123-12 --as try-redis", "from an earlier one"],
    ],
    arguments: { id: { kind: "optional", value: "ID", about: `${ID} (the newest otherwise)` } },
    options: {
      as: { kind: "text", value: "TRAIL", about: "The new trail's name" },
      notes: { kind: "text", value: "TEXT", about: "Why" },
      ...WRITING,
    },
    details: "Nothing is copied: both trails share what they have in common.",
  },
  tag: {
    about: "Name a checkpoint, which keeps it from being pruned; or list the names",
    file: "tag",
    examples: [
      ["checkpoint tag before-migration", "the newest"],
      ["checkpoint tag v1 @~2", "an earlier one; a name that is in use moves"],
      ["checkpoint restore before-migration", "a tag works wherever an id does"],
      ["checkpoint tag", "all of them"],
    ],
    arguments: {
      name: { kind: "optional", value: "NAME", about: "The name" },
      id: { kind: "optional", value: "ID", about: ID },
    },
    options: { delete: { kind: "flag", about: "Take the name away; the checkpoint stays" }, ...TRAIL },
  },
  trails: {
    about: "List the trails, the one that moved last first",
    file: "trails",
    examples: [
      ["checkpoint trails", "with how many checkpoints each has; * is the one you work on"],
      ["checkpoint trails --prefix session/", "those of agent sessions"],
    ],
    options: { prefix: { kind: "text", value: "TEXT", about: "Only those whose names begin like this" } },
  },
  "trails rename": {
    about: "Give a trail another name, with all its checkpoints",
    file: "trails",
    examples: [["checkpoint trails rename trial redis", ""]],
    arguments: {
      from: { kind: "required", value: "TRAIL", about: "The trail" },
      to: { kind: "required", value: "NAME", about: "Its new name" },
    },
    details: "One checkpoint more says so. The trails of runs, sessions and progress files keep their names.",
  },
  "trails delete": {
    about: "Delete a trail with its checkpoints, which cannot be undone",
    file: "trails",
    examples: [["checkpoint trails delete trial --yes", ""]],
    arguments: { name: { kind: "required", value: "TRAIL", about: "The trail" } },
    options: { yes: { kind: "flag", about: "Do not ask" } },
    details:
      "Checkpoints that are tagged, or that other trails forked from, stay. The trail of a run goes by archive and clean.",
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
      keep: { kind: "number", value: "N", minimum: 1, about: "How many stay (50 otherwise)" },
      all: { kind: "flag", about: "In each trail" },
      dryRun: { kind: "flag", about: "Only say what would happen" },
      ...TRAIL,
    },
    details: "What other trails forked from, and what a pending approval needs, stays in any case.",
  },
  verify: {
    about: "Check every byte against its hash",
    examples: [
      ["checkpoint verify", "status 5 if something is damaged, with what it costs"],
      ["checkpoint verify --repair", "trails with a damaged head go on from what is whole"],
    ],
    options: {
      repair: { kind: "flag", about: "Bring the newest whole state back where a head is damaged" },
    },
    details:
      "A repair saves that state as a new checkpoint and removes nothing: the damaged one stays in the history. Runs are left alone, because going back would do their steps again.",
  },
  export: {
    about: "Write a checkpoint or a whole trail to a file",
    examples: [
      ["checkpoint export > latest.json", "the newest checkpoint, as JSON"],
      ["checkpoint export ckpt-20260123-12 --output one.json", "another one"],
      ["checkpoint export --trail main --history --output main.cairn", "a trail with its history"],
      ["checkpoint export --transcript 0b6a9f0e --output t.jsonl", "a transcript, as the client wrote it"],
    ],
    arguments: { id: { kind: "optional", value: "ID", about: ID } },
    options: {
      output: { kind: "text", value: "FILE", about: "Where to (stdout otherwise)" },
      history: { kind: "flag", about: "The trail with all its checkpoints" },
      transcript: { kind: "text", value: "ID", about: "An archived transcript, by its session" },
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
    arguments: {
      file: { kind: "required", value: "FILE", about: 'The file; "-" is stdin; "claude" or "codex"' },
    },
    options: {
      as: { kind: "text", value: "TRAIL", about: "Into a trail of this name" },
      trust: { kind: "flag", about: "Trust its record of who wrote what: an export of your own" },
      session: { kind: "text", value: "ID", about: "Only this session: its id, or its transcript's file" },
      since: { kind: "text", value: "TIME", about: "Only sessions used since: 7d, 12h, 2026-01-23" },
      all: { kind: "flag", about: "Sessions of every project, not just of this one" },
      dryRun: { kind: "flag", about: "Only say what would happen" },
      ...WRITING,
    },
    details:
      "Also reads checkpoint.json of autonomous-dev, and phase.json and execution.json of dotagent. Sessions of agent clients become trails of their own (session/ID): goal, tasks, files, commands, last message. Their transcripts are archived (transcript/CLIENT/ID), because clients delete them after some weeks; again, only what is new is added. Secrets are taken out of both. A file of the name claude is ./claude. Anybody can write a file, so a summary calls what came from one [imported], until it is said anew here (checkpoint goal, checkpoint next); --trust keeps what it says itself.",
  },
} as const satisfies Record<string, CommandEntry>;
