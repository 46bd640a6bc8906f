import { existsSync } from "node:fs";
import { join } from "node:path";
import { personalFolder } from "../../capture/files/home-folder.ts";
import { CheckpointError, isCheckpointError } from "../../errors.ts";
import { isOnPath } from "../../project/on-path.ts";
import { planAgentsMd } from "./clients/agents-md.ts";
import { planClaude } from "./clients/claude.ts";
import { planCodex } from "./clients/codex.ts";
import { copilotFolder, planCopilot } from "./clients/copilot.ts";
import { planCursor } from "./clients/cursor.ts";
import { planGemini } from "./clients/gemini.ts";
import { opencodeFolder, planOpencode } from "./clients/opencode.ts";
import type { ClientPlan, Direction } from "./planned-change.ts";
import type { SetupClient } from "./setup-clients.ts";
import type { SetupWorld } from "./setup-world.ts";

type PlanClient = (
  world: SetupWorld,
  direction: Direction,
) => ClientPlan | undefined | Promise<ClientPlan | undefined>;

const PLANS: Readonly<Record<SetupClient, PlanClient>> = {
  claude: planClaude,
  codex: planCodex,
  gemini: planGemini,
  opencode: planOpencode,
  cursor: planCursor,
  copilot: planCopilot,
  "agents-md": planAgentsMd,
};

/**
 * What is to be done for the client that was named, else for all that are here; where there is none, for those that
 * read AGENTS.md. Only looks: whatever cannot be understood is refused before anything is written.
 */
export async function planSetup(
  world: SetupWorld,
  direction: Direction,
  chosen: SetupClient | undefined,
): Promise<ClientPlan[]> {
  const all = Object.keys(PLANS) as SetupClient[];
  const found = direction === "remove" ? all : detectClients(world);
  const wanted = chosen !== undefined ? [chosen] : found.length > 0 ? found : (["agents-md"] as const);
  const plans: ClientPlan[] = [];
  for (const client of wanted) {
    try {
      const plan = await PLANS[client](world, direction);
      if (plan !== undefined) plans.push(plan);
    } catch (error) {
      throw namingOthers(error, direction, { client, wanted });
    }
  }
  return plans;
}

/** A file that cannot be parsed does not stop the other clients from being set up. */
function namingOthers(
  error: unknown,
  direction: Direction,
  { client, wanted }: { client: SetupClient; wanted: readonly SetupClient[] },
): unknown {
  if (!isCheckpointError(error, "refused") || error.details["line"] === undefined) return error;
  const init = `checkpoint init${direction === "remove" ? " --remove" : ""} --client`;
  const [other] = wanted.filter((name) => name !== client);
  const hint =
    other === undefined
      ? `Fix that line, then: ${init} ${client}`
      : `Fix that line, or leave ${client} out for now: ${init} ${other}`;
  return new CheckpointError(error.code, error.message, { hint, details: error.details });
}

/** The clients that this person has: by their settings, or by their command. */
export function detectClients(world: SetupWorld): SetupClient[] {
  const traces: readonly (readonly [SetupClient, string | undefined])[] = [
    ["claude", personalFolder(world.env, "CLAUDE_CONFIG_DIR", ".claude")],
    ["codex", personalFolder(world.env, "CODEX_HOME", ".codex")],
    ["gemini", world.home && join(world.home, ".gemini")],
    ["opencode", opencodeFolder(world)],
    ["cursor", world.home && join(world.home, ".cursor")],
    ["copilot", copilotFolder(world)],
  ];
  return traces
    .filter(([client, folder]) => (folder !== undefined && existsSync(folder)) || isOnPath(world, client))
    .map(([client]) => client);
}
