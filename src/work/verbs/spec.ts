/**
 * How a command is described: the one source for parsing, help, suggestions, completion and docs/commands.md.
 * Plain data, so that describing forty commands costs nothing at start.
 */
export interface CommandSpec {
  /** What is typed after `checkpoint`: one word, or two as in `task add`. */
  readonly name: string;
  /** One line, without a full stop. */
  readonly about: string;
  readonly group: keyof typeof GROUPS;
  /** Loads the file that does it, when it is typed. */
  readonly load: () => Promise<object>;
  /** Shown first in the help: what to type, and what it is for. */
  readonly examples: readonly (readonly [command: string, why: string])[];
  readonly arguments?: Readonly<Record<string, ArgumentSpec>>;
  readonly options?: Readonly<Record<string, OptionSpec>>;
  /** More words for the help, after the options. */
  readonly details?: string;
}

export const GROUPS = {
  saving: "Save and look",
  work: "Say where the work stands",
  workflows: "Run workflows and go on",
  history: "Go back and branch",
  keeping: "Keep it safe and small",
  sharing: "Share with other machines, back up",
  governance: "Answer for what agents do",
  setup: "Set up and find out",
} as const;

/** A command in its table: the key is its name, and a table belongs to one group. */
export type CommandEntry = Omit<CommandSpec, "name" | "group" | "load"> & { readonly file?: string };

/** Commands that belong together. */
export interface CommandTable {
  readonly group: CommandSpec["group"];
  readonly entries: Readonly<Record<string, CommandEntry>>;
  /** The file of all of them. Without it a command's file is named after its first word, unless its entry names one. */
  readonly file?: string;
  readonly load: (file: string) => Promise<object>;
}

/** An option `--like-this` is the property `likeThis`. */
export type OptionSpec =
  | { readonly kind: "flag"; readonly about: string; readonly short?: string }
  | {
      readonly kind: "text";
      readonly value: string;
      readonly about: string;
      readonly short?: string;
      readonly names?: "checkpoints";
    }
  | { readonly kind: "texts" | "duration" | "pairs"; readonly value: string; readonly about: string }
  | { readonly kind: "number"; readonly value: string; readonly about: string; readonly minimum: number }
  | { readonly kind: "choice"; readonly choices: readonly string[]; readonly about: string };

export type ArgumentSpec =
  | {
      readonly kind: "required" | "optional" | "rest";
      readonly value: string;
      readonly about: string;
      /** What it names, where its value alone does not tell: completion offers these. */
      readonly names?: "checkpoints";
    }
  | {
      readonly kind: "choice";
      readonly value: string;
      readonly about: string;
      readonly choices: readonly string[];
    };

/** What the parser makes of a command's arguments and options, as one object. */
export type OptionsOf<Spec extends Partial<CommandEntry>> = {
  readonly [Name in keyof Spec["arguments"]]: ValueOfArgument<Spec["arguments"][Name]>;
} & {
  readonly [Name in keyof Spec["options"]]: ValueOfOption<Spec["options"][Name]>;
};

type ValueOfArgument<Argument> = Argument extends { kind: "required" }
  ? string
  : Argument extends { kind: "rest" }
    ? readonly string[]
    : Argument extends { kind: "choice"; choices: readonly (infer Choice)[] }
      ? Choice
      : string | undefined;

type ValueOfOption<Option> = Option extends { kind: "flag" }
  ? boolean
  : Option extends { kind: "number" | "duration" }
    ? number | undefined
    : Option extends { kind: "texts" }
      ? readonly string[]
      : Option extends { kind: "pairs" }
        ? readonly (readonly [string, string])[]
        : Option extends { kind: "choice"; choices: readonly (infer Choice)[] }
          ? Choice | undefined
          : string | undefined;
