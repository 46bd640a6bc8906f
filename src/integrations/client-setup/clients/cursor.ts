import { join } from "node:path";
import { planServer } from "../mcp-server.ts";
import { type HooksFile, planHooksFile } from "../plan-hooks-file.ts";
import type { ClientPlan, Direction } from "../planned-change.ts";
import { readPackaged, type SetupWorld } from "../setup-world.ts";

/** Cursor: hooks and the MCP server, each in a file of the person's. */
export function planCursor(world: SetupWorld, direction: Direction): ClientPlan | undefined {
  if (world.home === undefined) return undefined;
  const folder = join(world.home, ".cursor");
  const wanted = JSON.parse(readPackaged(world, "examples/clients/cursor/hooks.json")) as HooksFile;
  const hooks = planHooksFile(join(folder, "hooks.json"), wanted, direction);
  return {
    client: "cursor",
    name: "Cursor",
    changes: [hooks, planServer(join(folder, "mcp.json"), direction)],
    notes: [],
  };
}
