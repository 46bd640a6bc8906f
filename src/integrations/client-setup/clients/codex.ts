import { join } from "node:path";
import { personalFolder } from "../../../capture/files/home-folder.ts";
import { addHooks, expectObjects, type HookGroups, removeHooks } from "../merge-hooks.ts";
import { meaningOfJson, planJson } from "../plan-json.ts";
import {
  type ClientPlan,
  type Direction,
  type PlannedChange,
  planRemoval,
  readIfThere,
} from "../planned-change.ts";
import { readPackaged, type SetupWorld } from "../setup-world.ts";
import { editCodexConfig } from "./codex-config.ts";

/** Codex: our hooks among the person's own, and the MCP server in its configuration. */
export async function planCodex(world: SetupWorld, direction: Direction): Promise<ClientPlan | undefined> {
  const folder = personalFolder(world.env, "CODEX_HOME", ".codex");
  if (folder === undefined) return undefined;
  const path = join(folder, "config.toml");
  const before = readIfThere(path);
  const { text, notes, hasPlugin } = await editCodexConfig(path, before ?? "", direction);
  const server: PlannedChange = {
    path,
    what: direction === "add" ? "add the MCP server" : "take the MCP server out",
    before,
    after: before === undefined && text === "" ? undefined : text,
  };
  const plan = (changes: readonly PlannedChange[], ...more: readonly string[]): ClientPlan => ({
    client: "codex",
    name: "Codex",
    changes,
    notes: [...notes, ...more],
  });
  const hooks = join(folder, "hooks.json");
  if (direction === "remove") {
    const without = planRemoval(planJson(hooks, "take our hooks out", removeHooks), meaningOfJson);
    return plan(
      [without, planRemoval(server)],
      ...(hasPlugin
        ? ["The plugin was installed in Codex itself; to remove it: codex plugin remove cairn@cairn"]
        : []),
    );
  }
  if (hasPlugin) return plan([{ ...server, what: "the plugin cairn@cairn is installed" }]);
  const wanted = codexHooks(world);
  const merged = planJson(hooks, "add our hooks", (json) => {
    expectObjects(json, ["hooks"]);
    return addHooks(json, wanted);
  });
  const isNew = merged.before !== merged.after;
  return plan(
    [merged, server],
    ...(isNew ? ["Codex runs new hooks only once you trust them: type /hooks in it."] : []),
  );
}

/** The hooks that the plugin brings, so that both ways are trusted as the same. */
function codexHooks(world: SetupWorld): HookGroups {
  return (JSON.parse(readPackaged(world, "plugin/hooks/codex.json")) as { hooks: HookGroups }).hooks;
}
