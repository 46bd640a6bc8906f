import { existsSync } from "node:fs";
import { join } from "node:path";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import { isOnPath } from "../../../work/project/on-path.ts";
import type { SettingsFile } from "../../../work/clients/client.ts";
import { type ClientName, CLIENTS } from "../../../work/clients/clients.ts";
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
  readonly folder: string | undefined;
  readonly plan: (world: SetupWorld, direction: Direction, folder: string) => Planned | Promise<Planned>;
}

/** Clients whose settings are more than files with our hooks and our server. */
const PLANS: Partial<Record<ClientName, ClientSetup["plan"]>> = {
  claude: planClaude,
  codex: planCodex,
  opencode: planOpencode,
};

function setupOf(client: SetupClient, world: SetupWorld): ClientSetup {
  if (client === "agents-md") return { name: "AGENTS.md", folder: world.root, plan: planAgentsMd };
  const { product, settings, settingsFiles = [] } = CLIENTS[client];
  const plan: ClientSetup["plan"] = (_world, direction, folder) =>
    planFiles(settingsFiles, { world, direction, folder });
  return { name: product, folder: settings(world.env), plan: PLANS[client] ?? plan };
}

function planned(...changes: readonly PlannedChange[]): Planned {
  return { changes, notes: [] };
}

interface Place {
  readonly world: SetupWorld;
  readonly direction: Direction;
  readonly folder: string;
}

function planFiles(files: readonly SettingsFile[], place: Place): Planned {
  const changes = files.map((file) => planFile(file, place));
  const off = changes.find((change, index) => files[index]?.isOff?.(valueAfter(change)));
  const waitsFor =
    off && place.direction === "add" ? `switch them on in ${off.path}: hooksConfig` : undefined;
  return { ...planned(...changes), waitsFor };
}

/** The packaged file holds the hooks, and the version of such a file where it has one. */
function planFile({ file, hooks, server }: SettingsFile, { world, direction, folder }: Place): PlannedChange {
  const packaged = hooks === undefined ? {} : readPackaged(world, `examples/clients/${hooks}`);
  const ours = typeof packaged === "string" ? (JSON.parse(packaged) as OurSettings) : {};
  return planSettings(join(folder, file), direction, {
    ...(ours.hooks && { hooks: ours.hooks }),
    ...(ours.version && { version: ours.version }),
    ...(server && { server }),
  });
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
      const { name, folder, plan } = setupOf(client, world);
      if (folder !== undefined) plans.push({ client, name, ...(await plan(world, direction, folder)) });
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
    const { folder } = setupOf(client, world);
    return client !== "agents-md" && ((folder && existsSync(folder)) || isOnPath(world, client));
  });
}
