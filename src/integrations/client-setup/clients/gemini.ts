import { join } from "node:path";
import { addServer, removeServer } from "../mcp-server.ts";
import { addHooks, expectObjects, type HookGroups, removeHooks } from "../merge-hooks.ts";
import { meaningOfJson, planJson } from "../plan-json.ts";
import { type ClientPlan, type Direction, planRemoval } from "../planned-change.ts";
import { readPackaged, type SetupWorld } from "../setup-world.ts";

/** Gemini CLI: hooks and the MCP server in the person's settings. */
export function planGemini(world: SetupWorld, direction: Direction): ClientPlan | undefined {
  if (world.home === undefined) return undefined;
  const path = join(world.home, ".gemini", "settings.json");
  const { hooks } = JSON.parse(readPackaged(world, "examples/clients/gemini/settings.json")) as {
    hooks: HookGroups;
  };
  const change =
    direction === "add"
      ? planJson(path, "add our hooks and the MCP server", (text) => add(text, hooks))
      : planRemoval(planJson(path, "take our hooks and the MCP server out", remove), meaningOfJson);
  return { client: "gemini", name: "Gemini CLI", changes: [change], notes: [] };
}

function add(text: string, hooks: HookGroups): string {
  expectObjects(text, ["hooks"], ["mcpServers"]);
  return addServer(addHooks(text, hooks));
}

function remove(text: string): string {
  return removeServer(removeHooks(text));
}
