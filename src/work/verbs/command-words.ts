/** The words that the tables of verbs are written in, and what several verbs share. */

/** Texts are bounded: an agent that pours a file into a note has made a mistake. */
export const MAX_TEXT = 20_000;

/** What else is known of a field: see field.ts. */
interface FieldWords {
  readonly told?: string;
  readonly max?: number;
  readonly most?: number;
}

const named =
  <const Kind extends string>(kind: Kind) =>
  (value: string, about: string, more: FieldWords = {}) =>
    ({ kind, value, about, ...more }) as const;

export const required = named("required");
export const optional = named("optional");
export const rest = named("rest");

export const text = named("text");
export const texts = named("texts");
export const pairs = named("pairs");
export const duration = named("duration");
export const flag = (about: string, more: FieldWords = {}) => ({ kind: "flag", about, ...more }) as const;
export const number = (
  minimum: number,
  about: string,
  more: FieldWords & { maximum?: number; letter?: string } = {},
) => ({ kind: "number", value: "N", minimum, about, ...more }) as const;
export const choice = <const Choices extends readonly string[]>(
  choices: Choices,
  about: string,
  more: FieldWords = {},
) => ({ kind: "choice", choices, about, ...more }) as const;

/** Only the command line has it. */
export const typed = <const Field extends object>(field: Field) => ({ ...field, typed: true }) as const;

/** It must be given where it is not typed. */
export const needed = <const Field extends object>(field: Field) => ({ ...field, needed: true }) as const;

/** How a checkpoint is named. */
export const ID = "A checkpoint: an id or its beginning, @, @~2, latest, or a tag";

/** An argument or the value of an option that names a checkpoint. */
export const checkpoint = <const Kind extends "required" | "optional" | "text">(
  kind: Kind,
  { value = "ID", about = ID, told = TOLD_ID }: FieldWords & { value?: string; about?: string } = {},
) => ({ kind, value, about, told, names: "checkpoints" }) as const;

const TOLD_ID = "A checkpoint's id or its beginning; @ for the newest, @~2 for two before it; or a tag.";

export const RUN = required("RUN", "A run's name, or its beginning", {
  told: "The run's id, as runs lists it, or its beginning.",
});

export const TRAIL = {
  trail: text("TRAIL", "Work on this trail instead of the usual one", {
    told: "A trail's name. Leave it out: the session's own trail is meant then.",
  }),
};

/** Every command that moves a trail's head. */
export const WRITING = {
  ...TRAIL,
  agent: typed(text("ID", "Who does this (default: $CHECKPOINT_AGENT)")),
  tier: typed(number(0, "The tier the agent claims; recorded, but grants nothing", { letter: "T" })),
};

export const GLOBAL = {
  json: flag("Print JSON, for programs: errors too, on stderr"),
  quiet: { kind: "flag", short: "-q", about: "Print results and errors only" },
  dir: { kind: "text", short: "-C", value: "DIR", about: "Work as if started in this folder" },
  store: text("URL", "Use a shared store: postgres://… (default: $CHECKPOINT_STORE)"),
  insecure: flag("Permit a shared store whose certificate is not verified"),
  noColor: flag("Print without colours ($NO_COLOR does the same)"),
  noInput: flag("Never ask a question"),
  help: { kind: "flag", short: "-h", about: "Show examples and options" },
} as const;
