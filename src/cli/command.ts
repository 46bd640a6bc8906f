import type { Context } from "./context.ts";
import type { Output } from "./output.ts";
import type { CommandEntry, OptionsOf } from "./spec.ts";
import type { GLOBAL } from "./table/shared.ts";

/** The options that every command has. */
export type GlobalOptions = OptionsOf<{ readonly options: typeof GLOBAL }>;

/** What the parser makes of the words after a command. */
export type ParsedOptions<Spec extends CommandEntry> = OptionsOf<Spec> & GlobalOptions;

/** A command: a function of the world, what was typed, and where to print. May return the exit status. */
export type CommandOf<Spec extends CommandEntry = CommandEntry> = (
  context: Context,
  options: ParsedOptions<Spec>,
  output: Output,
) => Promise<number | void>;
