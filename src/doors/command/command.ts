import type { CommandFunction, EntryOptions } from "../../work/terminal/command.ts";
import type { OwnCommands } from "./table.ts";

/** A command of this folder, by its name. */
export type CommandOf<Name extends keyof OwnCommands> = CommandFunction<OwnCommands[Name]>;

/** What it is called with. */
export type CommandOptions<Name extends keyof OwnCommands> = EntryOptions<OwnCommands[Name]>;
