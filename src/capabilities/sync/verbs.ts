import type { CommandFunction } from "../../work/terminal/command.ts";
import { flag, optional, required, text } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import { FEW_TOOLS } from "../../work/verbs/reasons.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";
import { BACKUP, FAILED, MIRROR, PULL, PULLED, PUSHED, REMOTE } from "./results.ts";

const WHICH = { remote: text("NAME", "Which remote, where there are several") } as const;

const DRY_RUN = { dryRun: flag("Only show what would happen") } as const;

const ONE_TRAIL = { trail: text("TRAIL", "Only this trail") } as const;

const JOIN = { join: flag("Join trails that changed in both places, where they do not conflict") } as const;

const UNSAFE = {
  unsafeSingleWriter: flag("Accept a server that ignores conditions: with a second machine, work gets lost"),
} as const;

/** Verbs that bring checkpoints to other machines and places, and back. */
const REMOTES = {
  "remote add": {
    about: "Add a remote: a bucket or folder to push checkpoints to",
    examples: [
      [
        "checkpoint remote add origin s3://bucket/project",
        "with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
      ],
      ["checkpoint remote add origin 's3://bucket/app?endpoint=https://s3.example'", "another service"],
      ["checkpoint remote add disk file:///mnt/disk/project --encrypt", "another disk, sealed"],
    ],
    arguments: {
      name: required("NAME", "What to call it, as in origin"),
      url: optional(
        "URL",
        "s3://bucket/prefix?endpoint=…&region=…, or file:///folder; without it, what cairn.yaml suggests",
      ),
    },
    options: {
      encrypt: flag("Seal everything before it leaves this machine"),
      vault: text("KEY", "The same, with a key that only this Transit key of Vault can unwrap"),
      ...UNSAFE,
    },
    details:
      "Proves first, with writes that must be refused, that two machines cannot overwrite each other there. Remotes are kept in your own state folder, not in the project.",
    result: () => json.fields({ remote: REMOTE }),
  },
  "remote list": {
    about: "List the remotes, and when each was last used",
    examples: [["checkpoint remote list", ""]],
    verb: "remotes",
    result: () => json.fields({ remotes: json.list(REMOTE) }),
  },
  "remote remove": {
    about: "Remove a remote; its data stays where it is",
    examples: [["checkpoint remote remove origin", ""]],
    arguments: { name: required("NAME", "The remote") },
    result: () => json.fields({ remote: REMOTE }),
  },
  "remote show": {
    about: "Show the newest checkpoint of a trail on a remote",
    examples: [
      ["checkpoint remote show main", "with a cache at once, and how old it is"],
      ["checkpoint remote show main --confirm", "asks the remote whether it is still the newest"],
    ],
    arguments: { trail: required("TRAIL", "The trail") },
    options: {
      confirm: flag("Ask the remote whether what is cached is the newest"),
      ...WHICH,
    },
    result: () =>
      json.fields({
        remote: json.text,
        trail: json.text,
        machine: json.text,
        pushed_at: json.text,
        source: json.enumOf("cache", "remote"),
        is_confirmed: json.flag,
        checkpoint: json.ref("checkpoint"),
      }),
  },
  push: {
    about: "Push new checkpoints to a remote",
    file: "sync",
    examples: [
      ["checkpoint push", "all trails that have something new"],
      ["checkpoint push --dry-run", "what would go"],
    ],
    options: {
      full: flag("Send everything again: repairs a remote that lost something"),
      ...DRY_RUN,
      ...WHICH,
      ...ONE_TRAIL,
    },
    details:
      "Nothing is overwritten. A trail that another machine moved is fetched: see checkpoint pull --help.",
    result: () => json.fields({ remote: json.text, dry_run: json.flag, trails: PUSHED, failed: FAILED }),
    writes: "store",
  },
  pull: {
    about: "Pull checkpoints from a remote",
    file: "sync",
    examples: [
      ["checkpoint pull", "all trails"],
      ["checkpoint pull --join", "and join those that changed in both places"],
    ],
    options: { ...JOIN, ...DRY_RUN, ...WHICH, ...ONE_TRAIL },
    details:
      "A trail that changed in both places stays as it is, and the other line is kept beside it, as main@laptop. A join refuses where both changed the same thing, and names it. Runs never join.",
    result: () => PULL,
    writes: "store",
  },
  sync: {
    about: "Pull, then push",
    examples: [
      ["checkpoint sync", ""],
      ["checkpoint sync --watch", "until Ctrl-C: pushes what is saved, and pulls every half minute"],
    ],
    options: {
      watch: flag("Go on until Ctrl-C"),
      ...JOIN,
      ...DRY_RUN,
      ...WHICH,
      ...ONE_TRAIL,
    },
    result: () =>
      json.fields({ remote: json.text, dry_run: json.flag, pulled: PULLED, failed: FAILED, pushed: PUSHED }),
    writes: "store",
  },
  clone: {
    about: "Bring a remote's checkpoints into a new project",
    file: "sync",
    examples: [
      ["checkpoint clone s3://bucket/project", "the remote is called origin then"],
      ["checkpoint clone s3://bucket/project --encrypt", "if it should be sealed: refuses it otherwise"],
    ],
    arguments: { url: required("URL", "As in checkpoint remote add") },
    options: {
      name: text("NAME", "What to call the remote"),
      encrypt: flag("Refuse a remote that is not sealed"),
      ...UNSAFE,
    },
    result: () => PULL,
    writes: "store",
  },
  "key export": {
    about: "Print the key of a sealed remote, for another machine",
    examples: [["checkpoint key export > cairn.key", "anyone who has it can read everything"]],
    options: WHICH,
    result: () => json.fields({ key_id: json.text, key: json.text }),
    tool: "a key must not reach a model's context",
  },
  "key import": {
    about: "Import a key from another machine",
    examples: [["checkpoint key import cairn.key", "then clone, or add the remote"]],
    arguments: { file: required("FILE", 'The file; "-" is stdin') },
    result: () => json.fields({ key_id: json.text }),
  },
  mirror: {
    about: "Keep a copy of the store outside of the project",
    examples: [["checkpoint mirror", "makes it, or brings it up to date; from then on it is kept"]],
    details:
      "Every later commit reaches it within a second while a server, run or watch is there, else with the next command. What is pruned goes from the mirror too. For all your projects: mirror: true in your own config.",
    result: () => json.fields({ file: json.text, was_there: json.flag, is_current: json.flag }),
    tool: FEW_TOOLS,
  },
  "mirror list": {
    about: "List your mirrors, including those of deleted projects",
    examples: [["checkpoint mirror list", ""]],
    result: () => json.fields({ mirrors: json.list(MIRROR) }),
    tool: FEW_TOOLS,
  },
  "mirror restore": {
    about: "Restore a mirror, with every byte verified",
    examples: [
      ["checkpoint mirror restore", "after git clean -fdx"],
      ["checkpoint mirror restore 7be1", "that of a worktree that was removed: see mirror list"],
    ],
    arguments: { name: optional("NAME", "The beginning of its name") },
    details:
      "Where there is no store, it becomes the store, whole. Where there is one, its trails come into that, as main@mirror where a name is taken.",
    result: () =>
      json.fields({
        name: json.text,
        restored: json.enumOf("store", "trails"),
        trails: json.list(json.fields({ trail: json.text, as: json.text })),
      }),
    tool: FEW_TOOLS,
  },
  backup: {
    about: "Back everything up into one verified file",
    examples: [["checkpoint backup project.cairn-backup", "keep it on another disk"]],
    arguments: { file: required("FILE", "The new file") },
    result: () => json.fields({ ...BACKUP, bytes: json.count }),
    tool: FEW_TOOLS,
  },
  "backup restore": {
    about: "Restore a project's store from a backup",
    examples: [["checkpoint backup restore project.cairn-backup", "where there is no store"]],
    arguments: { file: required("FILE", "What checkpoint backup wrote") },
    result: () => json.fields({ ...BACKUP, store: json.text }),
    tool: FEW_TOOLS,
  },
} as const satisfies Record<string, VerbEntry>;

const OWN_DECISION =
  "where work goes, and what comes from there, is decided by a person, or by an agent that types the command on purpose";
const NOT_ON_PAGE =
  "remotes, keys and backups are set up by typing: the page shows one project on this machine";

export const VERBS: readonly VerbTable[] = [
  {
    group: "sharing",
    entries: REMOTES,
    tool: OWN_DECISION,
    page: NOT_ON_PAGE,
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];

/** A command of this capability, by its name. */
export type SyncCommand<Name extends keyof typeof REMOTES> = CommandFunction<(typeof REMOTES)[Name]>;
