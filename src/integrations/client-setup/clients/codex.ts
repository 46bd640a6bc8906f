import { join } from "node:path";
import { personalFolder } from "../../../capture/files/home-folder.ts";
import { own } from "../../../text/untrusted.ts";
import { addHooks, expectObjects, type HookGroups, removeHooks } from "../merge-hooks.ts";
import { readJson, valueOf } from "../json-document.ts";
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
import { countUntrusted, type HookSource } from "./codex-trust.ts";

const PLUGIN = "cairn@cairn";
const PLUGIN_HOOKS = "hooks/codex.json";

/** Codex: our hooks among the person's own, and the MCP server in its configuration. */
export async function planCodex(world: SetupWorld, direction: Direction): Promise<ClientPlan | undefined> {
  const folder = personalFolder(world.env, "CODEX_HOME", ".codex");
  if (folder === undefined) return undefined;
  const path = join(folder, "config.toml");
  const before = readIfThere(path);
  const { text, notes, hasPlugin, value } = await editCodexConfig(path, before ?? "", direction);
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
  const wanted = codexHooks(world);
  if (hasPlugin) {
    const source = { name: `${PLUGIN}:${PLUGIN_HOOKS}`, hooks: wanted };
    const isOff = own(own(value["plugins"], PLUGIN), "enabled") === false;
    const waitsFor = isOff ? `type /plugins in Codex, and switch ${PLUGIN} on` : trust(value, source);
    return { ...plan([{ ...server, what: `the plugin ${PLUGIN} is installed` }]), waitsFor };
  }
  const merged = planJson(hooks, "add our hooks", (json) => {
    expectObjects(json, ["hooks"]);
    return addHooks(json, wanted);
  });
  const written = merged.after === undefined ? {} : (valueOf(readJson(merged.after)) as object);
  const waitsFor = trust(value, { name: hooks, hooks: own(written, "hooks") });
  return { ...plan([merged, server]), waitsFor };
}

function trust(config: Readonly<Record<string, unknown>>, source: HookSource): string | undefined {
  return countUntrusted(config, source) === 0
    ? undefined
    : "type /hooks in Codex, and trust what runs checkpoint";
}

/** The hooks that the plugin brings, so that both ways are trusted as the same. */
function codexHooks(world: SetupWorld): HookGroups {
  return (JSON.parse(readPackaged(world, `plugin/${PLUGIN_HOOKS}`)) as { hooks: HookGroups }).hooks;
}
