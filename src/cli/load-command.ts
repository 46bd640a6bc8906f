import type { CommandOf } from "./command.ts";
import { type CommandName, specOf } from "./table.ts";

/** Loads a command's file when it is typed. A command is exported under its name: `task add` as `taskAdd`. */
export async function loadCommand(name: CommandName): Promise<CommandOf<never>> {
  const file = (await import(`./commands/${specOf(name).file}.ts`)) as Record<string, CommandOf<never>>;
  return file[name.replace(/ \w/, (letter) => letter.slice(1).toUpperCase())] as CommandOf<never>;
}
