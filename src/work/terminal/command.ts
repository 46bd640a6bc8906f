import type { GLOBAL } from "../verbs/command-words.ts";
import type { Context } from "./context.ts";
import type { Output } from "./output.ts";
import type { OptionsOf } from "../verbs/field.ts";
import type { VerbEntry } from "../verbs/spec.ts";

/** The options that every command has. */
export type GlobalOptions = OptionsOf<{ readonly options: typeof GLOBAL }>;

/** What the parser makes of the words after a command. */
export type EntryOptions<Entry extends Partial<VerbEntry>> = OptionsOf<Entry> & GlobalOptions;

/** A command: a function of the world, what was typed, and where to print. May return the exit status. */
export type CommandFunction<Entry extends Partial<VerbEntry>> = (
  context: Context,
  options: EntryOptions<Entry>,
  output: Output,
) => Promise<number | void>;
