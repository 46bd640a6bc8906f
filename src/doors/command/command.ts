import type { Context } from "./context.ts";
import type { Output } from "./output.ts";
import type { OptionsOf } from "./spec.ts";
import type { COMMANDS, CommandName } from "./table.ts";
import type { GLOBAL } from "./table/shared.ts";

/** The options that every command has. */
export type GlobalOptions = OptionsOf<{ readonly options: typeof GLOBAL }>;

/** What the parser makes of the words after a command. */
export type CommandOptions<Name extends CommandName> = OptionsOf<(typeof COMMANDS)[Name]> & GlobalOptions;

/** A command: a function of the world, what was typed, and where to print. May return the exit status. */
export type CommandOf<Name extends CommandName> = (
  context: Context,
  options: CommandOptions<Name>,
  output: Output,
) => Promise<number | void>;
