import type { Context } from "./context.ts";
import type { Output } from "./output.ts";
import type { OptionsOf } from "./spec.ts";
import type { COMMANDS, CommandName } from "./table.ts";

/** A command: a function of the world, what was typed, and where to print. May say with which status to end. */
export type Run<Name extends CommandName> = (
  context: Context,
  options: OptionsOf<(typeof COMMANDS)[Name]>,
  output: Output,
) => Promise<number | void>;

/** Each command is a file of its own, loaded when it is typed. */
export const LOADERS: { readonly [Name in CommandName]?: () => Promise<Run<Name>> } = {
  now: async () => (await import("./commands/now.ts")).now,
};
