import { existsSync } from "node:fs";
import { join } from "node:path";
import { personalFolder } from "../../../work/machine/folders.ts";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import { isOnPath } from "../../../work/project/on-path.ts";
import { asList, own } from "../../../core/text/untrusted.ts";
import { planAgentsMd } from "./clients/agents-md.ts";
import { planClaude } from "./clients/claude.ts";
import { planCodex } from "./clients/codex.ts";
import { type ClientPlan, type Direction, type PlannedChange, readIfThere } from "./planned-change.ts";
import { valueAfter } from "./plan-json.ts";
import { type OurSettings, planSettings } from "./settings-file.ts";
import { SETUP_CLIENTS, type SetupClient } from "./setup-clients.ts";
import { readPackaged, type SetupWorld } from "./setup-world.ts";

type Planned = Omit<ClientPlan, "client" | "name">;

interface ClientSetup {
  readonly name: string;
  /** Where its settings are; undefined where the person has no home folder. */
  readonly folder: (world: SetupWorld) => string | undefined;
  readonly plan: (world: SetupWorld, direction: Direction, folder: string) => Planned | Promise<Planned>;
}

const inHome = (name: string) => (world: SetupWorld) => world.home && join(world.home, name);

const SETUPS: Readonly<Record<SetupClient, ClientSetup>> = {
  claude: {
    name: "Claude Code",
    folder: ({ env }) => personalFolder(env, "CLAUDE_CONFIG_DIR", ".claude"),
    plan: planClaude,
  },
  codex: {
    name: "Codex",
    folder: ({ env }) => personalFolder(env, "CODEX_HOME", ".codex"),
    plan: planCodex,
  },
  gemini: {
    name: "Gemini CLI",
    folder: inHome(".gemini"),
    plan: planGemini,
  },
  opencode: {
    name: "OpenCode",
    folder: ({ env }) => {
      const config = personalFolder(env, "XDG_CONFIG_HOME", ".config");
      return config && join(config, "opencode");
    },
    plan: planOpencode,
  },
  cursor: {
    name: "Cursor",
    folder: inHome(".cursor"),
    plan: (world, direction, folder) =>
      planned(
        planSettings(join(folder, "hooks.json"), direction, packagedHooks(world, "cursor/hooks.json")),
        planSettings(join(folder, "mcp.json"), direction, { server: {} }),
      ),
  },
  // Not in the project's `.github/hooks`: those are committed, and run in the cloud too, where our command is not.
  copilot: {
    name: "Copilot CLI",
    folder: ({ env }) => personalFolder(env, "COPILOT_HOME", ".copilot"),
    plan: (world, direction, folder) =>
      planned(
        planSettings(join(folder, "hooks/cairn.json"), direction, packagedHooks(world, "copilot/hooks.json")),
        planSettings(join(folder, "mcp-config.json"), direction, { server: { type: "local", tools: ["*"] } }),
      ),
  },
  "agents-md": { name: "AGENTS.md", folder: ({ root }) => root, plan: planAgentsMd },
};

function planned(...changes: readonly PlannedChange[]): Planned {
  return { changes, notes: [] };
}

/** What the example for a client holds: its hooks, and the version of the file where it has one. */
function packagedHooks(world: SetupWorld, name: string): OurSettings {
  const { hooks, version } = JSON.parse(readPackaged(world, `examples/clients/${name}`)) as OurSettings;
  return { ...(hooks && { hooks }), ...(version && { version }) };
}

function planGemini(world: SetupWorld, direction: Direction, folder: string): Planned {
  const ours = { ...packagedHooks(world, "gemini/settings.json"), server: {} };
  const change = planSettings(join(folder, "settings.json"), direction, ours);
  const config = own(valueAfter(change), "hooksConfig");
  const isOff = own(config, "enabled") === false || asList(own(config, "disabled")).includes("cairn");
  return {
    ...planned(change),
    waitsFor: direction === "add" && isOff ? `switch them on in ${change.path}: hooksConfig` : undefined,
  };
}

/** One file among its plugins. */
function planOpencode(world: SetupWorld, direction: Direction, folder: string): Planned {
  const path = join(folder, "plugins/cairn.js");
  const plugin = readPackaged(world, "examples/clients/opencode/cairn.js");
  const before = readIfThere(path);
  const isOurs = before === undefined || before.split("\n", 1)[0] === plugin.split("\n", 1)[0];
  if (!isOurs)
    return {
      changes: [{ path, what: "left as it is", before, after: before }],
      notes: [`${path} is not our plugin, so it was left alone.`],
    };
  return direction === "add"
    ? planned({ path, what: "add our plugin", before, after: plugin })
    : planned({ path, what: "remove our plugin", before, after: undefined });
}

/**
 * What is to be done for the client that was named, else for all that are here; where there is none, for those that
 * read AGENTS.md. Only looks: whatever cannot be understood is refused before anything is written.
 */
export async function planSetup(
  world: SetupWorld,
  direction: Direction,
  chosen: SetupClient | undefined,
): Promise<ClientPlan[]> {
  const found = direction === "remove" ? SETUP_CLIENTS : detectClients(world);
  const wanted = chosen !== undefined ? [chosen] : found.length > 0 ? found : (["agents-md"] as const);
  const plans: ClientPlan[] = [];
  for (const client of wanted) {
    try {
      const { name, folder, plan } = SETUPS[client];
      const place = folder(world);
      if (place !== undefined) plans.push({ client, name, ...(await plan(world, direction, place)) });
    } catch (error) {
      throw namingOthers(error, direction, { client, wanted });
    }
  }
  return plans;
}

/** A file that is refused does not stop the other clients from being set up. */
function namingOthers(
  error: unknown,
  direction: Direction,
  { client, wanted }: { client: SetupClient; wanted: readonly SetupClient[] },
): unknown {
  if (!isCheckpointError(error, "refused")) return error;
  const init = `checkpoint init${direction === "remove" ? " --remove" : ""} --client`;
  const [other] = wanted.filter((name) => name !== client);
  const isLine = error.details["line"] !== undefined;
  if (!isLine && other === undefined) return error;
  const fix = isLine ? "Fix that line" : (error.hint ?? "Look at it").replace(/\.$/, "");
  const hint =
    other === undefined
      ? `${fix}, then: ${init} ${client}`
      : `${fix}, or leave ${client} out for now: ${init} ${other}`;
  return new CheckpointError(error.code, error.message, { hint, details: error.details });
}

/** The clients that this person has: by their settings, or by their command. */
export function detectClients(world: SetupWorld): SetupClient[] {
  return SETUP_CLIENTS.filter((client) => {
    const folder = SETUPS[client].folder(world);
    return client !== "agents-md" && ((folder && existsSync(folder)) || isOnPath(world, client));
  });
}
