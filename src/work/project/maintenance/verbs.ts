import {
  TRAIL,
  WRITING,
  checkpoint,
  flag,
  number,
  required,
  text,
  typed,
} from "../../verbs/command-words.ts";
import * as json from "../../verbs/json-schema.ts";
import { FEW_TOOLS, IS_SHOWN } from "../../verbs/reasons.ts";
import type { UntypedVerb, VerbEntry } from "../../verbs/spec.ts";
import { IMPORTED, SALVAGED, VERIFIED } from "./results.ts";

const pruned = { checkpoint_id: json.text, content_hash: json.text, trail: json.text };

/** Verbs that thin out, check, and carry checkpoints elsewhere. */
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
    result: () =>
      json.fields({
        dry_run: json.flag,
        bytes_freed: json.count,
        kept: json.list(json.fields({ ...pruned, reasons: json.texts })),
        removed: json.list(json.fields({ ...pruned, reason: json.text })),
      }),
    writes: "store",
    tool: "what is gone is gone: a person decides that, or an agent that types the command on purpose",
    page: "the page only shows what a prune would remove: tests/web/page.test.ts",
  },
  verify: {
    about: "Check every byte against its hash",
    examples: [
      ["checkpoint verify", "status 5 if something is damaged, with what it costs"],
      ["checkpoint verify --repair", "trails with a damaged head continue from the newest intact checkpoint"],
    ],
    options: { repair: typed(flag("Bring back the newest whole state where a head is damaged")) },
    details:
      "A repair saves that state as a new checkpoint and removes nothing: the damaged one stays in the history. Runs are left alone, because going back would do their steps again. It ends with status 0 when every trail can continue, although what is damaged stays damaged.",
    result: () => VERIFIED,
    tool: FEW_TOOLS,
    page: {},
    run: () => import("./verify.ts"),
  },
  usage: {
    command: "doctor says how large the store is",
    tool: "an agent does not keep house",
    page: {},
    run: () => import("./usage.ts"),
  },
  "store salvage": {
    about: "Copy all that verifies of a damaged store into a new one, and list the rest",
    examples: [
      ["checkpoint store salvage", "from .cairn into .cairn-salvaged, beside it"],
      ["checkpoint store salvage --to ~/rescued", "into another new folder"],
    ],
    options: { to: text("FOLDER", "The new store's folder (default: .cairn-salvaged)") },
    details:
      "Reads every page of the store, its log and the logs that were kept, whatever became of the rest; the damaged store is not changed. Each trail continues from its head, or from its newest intact checkpoint. What was pruned stays away. End what uses the store first: what is saved meanwhile may be missing. To use the new store, move .cairn away and the new folder to its place. Status 5 if something was lost.",
    result: () => SALVAGED,
    writes: "store",
    tool: FEW_TOOLS,
    page: IS_SHOWN,
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
    result: () => json.fields({ file: json.text, bytes: json.count, trail: json.text, history: json.flag }),
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
    verb: "importFile",
    result: () => IMPORTED,
    writes: "trail",
    tool: FEW_TOOLS,
    page: IS_SHOWN,
  },
} as const satisfies Record<string, VerbEntry | UntypedVerb>;
