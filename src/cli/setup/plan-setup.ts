import { existsSync } from "node:fs";
import { join } from "node:path";
import { planAgentsMd } from "./clients/agents-md.ts";
import { planClaude } from "./clients/claude.ts";
import { planCodex } from "./clients/codex.ts";
import { planGemini } from "./clients/gemini.ts";
import { opencodeFolder, planOpencode } from "./clients/opencode.ts";
import type { ClientPlan, Direction, SetupClient } from "./planned-change.ts";
import { folderOf, isOnPath, type SetupWorld } from "./setup-world.ts";

type Plan = (world: SetupWorld, direction: Direction) => ClientPlan | undefined;

const PLANS: Readonly<Record<SetupClient, Plan>> = {
  claude: planClaude,
  codex: planCodex,
  gemini: planGemini,
  opencode: planOpencode,
  "agents-md": planAgentsMd,
};

/**
 * What is to be done for the client that was named, else for all that are here; where there is none, for those that
 * read AGENTS.md. Only looks: whatever cannot be understood is refused before anything is written.
 */
export function planSetup(
  world: SetupWorld,
  direction: Direction,
  chosen: SetupClient | undefined,
): ClientPlan[] {
  const all = Object.keys(PLANS) as SetupClient[];
  const found = direction === "remove" ? all : detectClients(world);
  const wanted = chosen !== undefined ? [chosen] : found.length > 0 ? found : (["agents-md"] as const);
  return wanted.flatMap((client) => PLANS[client](world, direction) ?? []);
}

/** The clients that this person has: by their settings, or by their command. */
export function detectClients(world: SetupWorld): SetupClient[] {
  const traces: readonly (readonly [SetupClient, string | undefined])[] = [
    ["claude", folderOf(world, "CLAUDE_CONFIG_DIR", ".claude")],
    ["codex", folderOf(world, "CODEX_HOME", ".codex")],
    ["gemini", world.home && join(world.home, ".gemini")],
    ["opencode", opencodeFolder(world)],
  ];
  return traces
    .filter(([client, folder]) => (folder !== undefined && existsSync(folder)) || isOnPath(world, client))
    .map(([client]) => client);
}
