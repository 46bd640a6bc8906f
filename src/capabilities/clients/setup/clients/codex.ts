import { join } from "node:path";
import { own } from "../../../../core/text/untrusted.ts";
import type { HookGroups } from "../merge-hooks.ts";
import { valueAfter } from "../plan-json.ts";
import { type Direction, type PlannedChange, planRemoval, readIfThere } from "../planned-change.ts";
import { planSettings } from "../settings-file.ts";
import { PLUGIN, readPackaged, type SetupWorld } from "../setup-world.ts";
import { editCodexConfig } from "./codex-config.ts";
import { countUntrusted, type HookSource } from "./codex-trust.ts";

const PLUGIN_HOOKS = "hooks/codex.json";

/** Codex: our hooks among the person's own, and the MCP server in its configuration. */
export async function planCodex(world: SetupWorld, direction: Direction, folder: string) {
  const path = join(folder, "config.toml");
  const before = readIfThere(path);
  const { text, notes, hasPlugin, value } = await editCodexConfig(path, before ?? "", direction);
  const server: PlannedChange = {
    path,
    what: direction === "add" ? "add the MCP server" : "remove the MCP server",
    before,
    after: before === undefined && text === "" ? undefined : text,
  };
  const { hooks } = JSON.parse(readPackaged(world, `plugin/${PLUGIN_HOOKS}`)) as { hooks: HookGroups };
  const file = join(folder, "hooks.json");
  if (direction === "remove") {
    const note = `The plugin was installed in Codex itself; to remove it: codex plugin remove ${PLUGIN}`;
    return {
      changes: [planSettings(file, direction, { hooks }), planRemoval(server)],
      notes: hasPlugin ? [...notes, note] : notes,
    };
  }
  if (hasPlugin) {
    const isOff = own(own(value["plugins"], PLUGIN), "enabled") === false;
    const waitsFor = isOff
      ? `type /plugins in Codex, and switch ${PLUGIN} on`
      : trust(value, { name: `${PLUGIN}:${PLUGIN_HOOKS}`, hooks });
    return { changes: [{ ...server, what: `the plugin ${PLUGIN} is installed` }], notes, waitsFor };
  }
  // The hooks that the plugin brings, so that both ways are trusted as the same.
  const merged = planSettings(file, direction, { hooks });
  const waitsFor = trust(value, { name: file, hooks: own(valueAfter(merged), "hooks") });
  return { changes: [merged, server], notes, waitsFor };
}

function trust(config: Readonly<Record<string, unknown>>, source: HookSource): string | undefined {
  if (own(config["features"], "hooks") === false) return "set features.hooks to true in its config.toml";
  return countUntrusted(config, source) === 0
    ? undefined
    : "type /hooks in Codex, and trust what runs checkpoint";
}
