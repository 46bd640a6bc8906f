import { join } from "node:path";
import { personalFolder } from "../../../capture/files/home-folder.ts";
import { planServer } from "../mcp-server.ts";
import { type HooksFile, planHooksFile } from "../plan-hooks-file.ts";
import type { ClientPlan, Direction } from "../planned-change.ts";
import { readPackaged, type SetupWorld } from "../setup-world.ts";

/**
 * Copilot CLI: a file of our own among the person's hooks, and the MCP server. Not in the project's `.github/hooks`:
 * those are committed, and run in the cloud too, where our command is not.
 */
export function planCopilot(world: SetupWorld, direction: Direction): ClientPlan | undefined {
  const folder = copilotFolder(world);
  if (folder === undefined) return undefined;
  const wanted = JSON.parse(readPackaged(world, "examples/clients/copilot/hooks.json")) as HooksFile;
  const hooks = planHooksFile(join(folder, "hooks", "cairn.json"), wanted, direction);
  const server = planServer(join(folder, "mcp-config.json"), direction, { type: "local", tools: ["*"] });
  return { client: "copilot", name: "Copilot CLI", changes: [hooks, server], notes: [] };
}

export function copilotFolder({ env }: SetupWorld): string | undefined {
  return personalFolder(env, "COPILOT_HOME", ".copilot");
}
