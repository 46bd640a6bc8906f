import { join } from "node:path";
import { addAt, removeAt } from "../json-edits.ts";
import { nodeAt, readJson } from "../json-document.ts";
import { addHooks, expectObjects, type HookGroups, removeHooks, removeIfEmpty } from "../merge-hooks.ts";
import { meaningOfJson, planJson } from "../plan-json.ts";
import { type ClientPlan, type Direction, planRemoval } from "../planned-change.ts";
import { readPackaged, type SetupWorld } from "../setup-world.ts";

const SERVER = ["mcpServers", "cairn"];

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
  const edited = addHooks(text, hooks);
  const isThere = nodeAt(readJson(edited), SERVER) !== undefined;
  return isThere ? edited : addAt(edited, SERVER, { command: "checkpoint", args: ["mcp"] });
}

function remove(text: string): string {
  const edited = removeHooks(text);
  if (nodeAt(readJson(edited), SERVER) === undefined) return edited;
  return removeIfEmpty(removeAt(edited, SERVER), ["mcpServers"]);
}
