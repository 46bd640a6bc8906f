/** The words that the tables of commands are written in, and what several commands share. */

const named =
  <const Kind extends string>(kind: Kind) =>
  (value: string, about: string) =>
    ({ kind, value, about }) as const;

export const required = named("required");
export const optional = named("optional");
export const rest = named("rest");

export const text = named("text");
export const texts = named("texts");
export const pairs = named("pairs");
export const duration = named("duration");
export const flag = (about: string) => ({ kind: "flag", about }) as const;
export const number = (minimum: number, about: string) =>
  ({ kind: "number", value: "N", minimum, about }) as const;
export const choice = <const Choices extends readonly string[]>(choices: Choices, about: string) =>
  ({ kind: "choice", choices, about }) as const;

/** How a checkpoint is named. */
export const ID = "A checkpoint: an id or its beginning, @, @~2, latest, or a tag";

/** An argument or the value of an option that names a checkpoint. */
export const checkpoint = <const Kind extends "required" | "optional" | "text">(
  kind: Kind,
  { value = "ID", about = ID } = {},
) => ({ kind, value, about, names: "checkpoints" }) as const;

export const RUN = required("RUN", "A run's name, or its beginning");

export const TRAIL = { trail: text("TRAIL", "Work on this trail instead of the usual one") };

/** Every command that moves a trail's head. */
export const WRITING = {
  ...TRAIL,
  agent: text("ID", "Who does this (default: $CHECKPOINT_AGENT)"),
  tier: number(0, "The tier the agent claims; recorded, but grants nothing"),
};

export const GLOBAL = {
  json: flag("Print JSON, for programs: errors too, on stderr"),
  quiet: { kind: "flag", short: "-q", about: "Print results and errors only" },
  dir: { kind: "text", short: "-C", value: "DIR", about: "Work as if started in this folder" },
  store: text("URL", "Use a shared store: postgres://… (default: $CHECKPOINT_STORE)"),
  insecure: flag("Permit a shared store that does not prove who it is"),
  noColor: flag("Print without colours ($NO_COLOR does the same)"),
  noInput: flag("Never ask a question"),
  help: { kind: "flag", short: "-h", about: "Show examples and options" },
} as const;
