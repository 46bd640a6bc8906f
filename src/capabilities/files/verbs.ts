import type { CommandFunction } from "../../work/terminal/command.ts";
import { checkpoint, flag, number, optional, rest, typed } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import { GOES_BACK } from "../../work/verbs/reasons.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";

/** A moment whose files are known. */
const MOMENT = {
  checkpoint_id: json.text,
  created_at: json.text,
  why: json.text,
  turn: json.nullable(json.count),
  session_id: json.nullableText,
  by: json.texts,
  tools: json.texts,
  files: json.count,
  failed: json.nullableText,
};

const LEFT = () => json.list(json.fields({ path: json.text, why: json.text }));

const MOMENT_WORDS =
  "A moment: a checkpoint, a snapshot (as files log lists them), or the number of a turn of the session";

/** Verbs that look at the project's files and bring them back. */
export const FILES = {
  files: {
    about: "Show which files changed, and in whose turn",
    examples: [["checkpoint files", "changed by tools, the shell or you"]],
    details:
      "Looks at the disk, and stores nothing. Files that git ignores are not covered. What looks like a secret and what is too large is named, and never stored.",
    result: () =>
      json.fields({
        head: json.nullableText,
        branch: json.nullableText,
        last: json.nullable(json.fields(MOMENT)),
        changes: json.list(
          json.fields({
            path: json.text,
            what: json.enumOf("added", "changed", "deleted", "unknown"),
            by: json.texts,
            turn: json.nullable(json.count),
            tools: json.texts,
            not_stored: json.nullableText,
          }),
        ),
        repositories: json.texts,
        unnamed: json.count,
      }),
    run: () => import("./verbs/files.ts"),
  },
  "files diff": {
    about: "Show what changed in the files between two moments, line by line",
    file: "files",
    examples: [
      ["checkpoint files diff", "since the last commit"],
      ["checkpoint files diff 3", "since the beginning of the session's third turn"],
      ["checkpoint files diff ckpt-20260123-12 @ src", "between two checkpoints, below src"],
      ["checkpoint files diff --stat", "only how much"],
    ],
    arguments: {
      a: optional("A", `${MOMENT_WORDS} (default: the last commit)`, { told: "The earlier moment." }),
      b: optional("B", "The later moment (default: now)", { told: "The later moment; without it, now." }),
      path: optional("PATH", "Only this file, or what is below this folder", { max: 4096 }),
    },
    options: { stat: typed(flag("Only how many lines were added and removed")) },
    verb: "filesDiff",
    result: () =>
      json.fields({
        from: json.text,
        to: json.text,
        files: json.list(
          json.fields({
            path: json.text,
            what: json.enumOf("added", "changed", "deleted", "unknown"),
            added: json.nullable(json.count),
            removed: json.nullable(json.count),
            note: json.nullableText,
            hunks: json.list(
              json.fields({
                from: json.count,
                from_lines: json.count,
                to: json.count,
                to_lines: json.count,
                lines: json.texts,
              }),
            ),
          }),
        ),
      }),
    run: () => import("./verbs/files-diff.ts"),
    tool: {
      name: "files_diff",
      title: "What changed in the files",
      description:
        "What changed in the project's files, line by line, whoever changed it: since the last commit, since the beginning of a turn (a number), or between two checkpoints.",
      effect: "looks",
    },
  },
  "files show": {
    about: "Print a file as it was at a moment",
    file: "files",
    examples: [["checkpoint files show 3 src/login.ts", "at the beginning of the session's third turn"]],
    arguments: {
      id: { kind: "required", value: "ID", about: MOMENT_WORDS },
      path: { kind: "required", value: "PATH", about: "The file", max: 4096 },
    },
    verb: "filesShow",
    result: () => json.fields({ path: json.text, mode: json.text, size: json.count, base64: json.text }),
    run: () => import("./verbs/versions.ts"),
  },
  "files log": {
    about: "List the moments whose files are known, or the versions of one file",
    file: "files",
    examples: [
      ["checkpoint files log", "newest first"],
      ["checkpoint files log src/login.ts", "the versions of a file"],
    ],
    arguments: { path: optional("PATH", "The file", { max: 4096 }) },
    options: { limit: number(1, "How many at most (default: 30)", { maximum: 1000 }) },
    verb: "filesLog",
    result: () =>
      json.fields({
        moments: json.list(json.fields({ ...MOMENT, version: json.nullableText })),
      }),
    run: () => import("./verbs/versions.ts"),
  },
  rewind: {
    about: "Bring files back as they were before the last turn",
    examples: [
      ["checkpoint rewind", "to the beginning of the last turn; asks first"],
      ["checkpoint rewind -n 2", "to the beginning of the turn before it"],
      ["checkpoint rewind ckpt-20260123-12 src", "only what is below src"],
      ["checkpoint rewind --dry-run", "only say what would happen"],
      ["checkpoint rewind --undo", "take the last rewind back"],
    ],
    arguments: {
      id: checkpoint("optional", {
        about: `${MOMENT_WORDS} (default: the beginning of the last turn); or a path`,
      }),
      paths: typed(rest("PATH", "Only these files, and what is below these folders", { max: 4096 })),
    },
    options: {
      n: { ...number(1, "How many turns to go back (default: 1)", { maximum: 999 }), short: "-n" },
      files: typed(flag("Bring back the files (this is the default)")),
      work: typed(flag("Bring back the recorded work instead: see checkpoint restore")),
      both: typed(flag("Bring back files and work")),
      undo: flag("Take the last rewind back"),
      force: flag("Also where others changed the same files"),
      acrossCommits: flag("Also files in which the commits differ"),
      dryRun: flag("Only show what would happen"),
      yes: typed(flag("Do not ask")),
    },
    wire: {
      only: { kind: "texts", value: "PATH", about: "Only these files, and what is below these folders" },
    },
    details:
      "A snapshot of the files as they are is taken first. Neither HEAD nor the index is touched, and no file that another session or you changed meanwhile. Status 6: some of the files were left, and are named.",
    result: () =>
      json.fields({
        dry_run: json.flag,
        target: json.fields(MOMENT),
        before: json.text,
        restored: json.list(json.fields({ path: json.text, what: json.enumOf("write", "delete") })),
        conflicts: LEFT(),
        others: LEFT(),
        committed: LEFT(),
        not_covered: LEFT(),
      }),
    writes: "store",
    run: () => import("./verbs/rewind.ts"),
  },
} as const satisfies Record<string, VerbEntry>;

export type FilesTable = typeof FILES;

export const VERBS: readonly VerbTable[] = [
  {
    group: "history",
    entries: FILES,
    tool: GOES_BACK,
    page: "the page shows the recorded work; files are looked at and brought back on the command line",
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];

/** A command of this capability, by its name. */
export type FilesCommand<Name extends keyof FilesTable> = CommandFunction<FilesTable[Name]>;
