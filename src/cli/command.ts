import type { Context } from "./context.ts";
import type { Output } from "./output.ts";
import type { CommandSpec, OptionsOf } from "./spec.ts";
import type { GLOBAL } from "./table/shared.ts";

/** What the parser makes of the words after a command, with the options that every command has. */
export type ParsedOptions<Spec extends CommandSpec> = OptionsOf<Spec> &
  OptionsOf<{ readonly options: typeof GLOBAL }>;

/** A command: a function of the world, what was typed, and where to print. May return the exit status. */
export type CommandOf<Spec extends CommandSpec = CommandSpec> = (
  context: Context,
  options: ParsedOptions<Spec>,
  output: Output,
) => Promise<number | void>;
