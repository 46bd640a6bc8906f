/** Options that several commands have, and those that all have. */

/** How a checkpoint is named. */
export const ID = "A checkpoint: an id or its beginning, @, @~2, latest, or a tag";

export const TRAIL = {
  trail: { kind: "text", value: "TRAIL", about: "Work on this trail instead of the usual one" },
} as const;

const AGENT = {
  agent: { kind: "text", value: "ID", about: "Who does this ($CHECKPOINT_AGENT otherwise)" },
  tier: { kind: "number", value: "N", minimum: 0, about: "The tier that it claims, which grants nothing" },
} as const;

/** Every command that moves a trail's head. */
export const WRITING = { ...TRAIL, ...AGENT } as const;

export const GLOBAL = {
  json: { kind: "flag", about: "Print JSON, for programs: errors too, on stderr" },
  quiet: { kind: "flag", short: "-q", about: "Print results and errors only" },
  dir: { kind: "text", short: "-C", value: "DIR", about: "Work as if started in this folder" },
  noColor: { kind: "flag", about: "Print without colours ($NO_COLOR does the same)" },
  noInput: { kind: "flag", about: "Never ask a question" },
  help: { kind: "flag", short: "-h", about: "Show examples and options" },
} as const;
