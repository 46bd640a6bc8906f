import { join } from "node:path";
import { personalFolder } from "../../../capture/files/home-folder.ts";
import { type ClientPlan, type Direction, readIfThere } from "../planned-change.ts";
import { readPackaged, type SetupWorld } from "../setup-world.ts";

/** OpenCode: one file among its plugins. */
export function planOpencode(world: SetupWorld, direction: Direction): ClientPlan | undefined {
  const folder = opencodeFolder(world);
  if (folder === undefined) return undefined;
  const path = join(folder, "plugins", "cairn.js");
  const plugin = readPackaged(world, "examples/clients/opencode/cairn.js");
  const before = readIfThere(path);
  const plan = (what: string, after: string | undefined, ...notes: string[]): ClientPlan => ({
    client: "opencode",
    name: "OpenCode",
    changes: [{ path, what, before, after }],
    notes,
  });
  const isOurs = before === undefined || before.split("\n", 1)[0] === plugin.split("\n", 1)[0];
  if (!isOurs) return plan("left as it is", before, `${path} is not our plugin, so it was left alone.`);
  return direction === "add" ? plan("add our plugin", plugin) : plan("take our plugin out", undefined);
}

export function opencodeFolder(world: SetupWorld): string | undefined {
  const config = personalFolder(world.env, "XDG_CONFIG_HOME", ".config");
  return config === undefined ? undefined : join(config, "opencode");
}
