import { join } from "node:path";
import { isCheckpointError } from "../../core/errors.ts";
import type { ClientPlan } from "./setup/planned-change.ts";
import type { SetupClient } from "./setup/setup-clients.ts";
import { setupWorld, type SetupWorld } from "./setup/setup-world.ts";
import { isChange } from "./setup/write-changes.ts";
import { unfitNode } from "../../work/project/known-node.ts";
import { isOnPath } from "../../work/project/on-path.ts";
import type { Project } from "../../work/project/project.ts";
import { isSilent } from "./setup/silent-client.ts";
import {
  type DoctorCheck,
  type DoctorFinding,
  note,
  ok,
  problem,
  warning,
} from "../../work/project/finding.ts";

/** Whether each installed agent client is set up to save by itself, and finds the command. */
export const doctor: DoctorCheck = async (project) => {
  const { env, root } = project;
  let world: SetupWorld;
  try {
    world = setupWorld(env, root);
  } catch (error) {
    // Only `init` needs the plugin.
    if (!isCheckpointError(error, "missing-dependency")) throw error;
    return [note("plugin", error.message, error.hint ?? null)];
  }
  const { detectClients, planSetup } = await import("./setup/plan-setup.ts");
  const findings: DoctorFinding[] = [];
  for (const client of detectClients(world))
    findings.push(...(await checkClient(client, project, () => planSetup(world, "add", client))));
  const isSetUp = findings.some(({ level }) => level === "ok");
  if (isSetUp && !isOnPath(world, "checkpoint"))
    findings.push(
      warning(
        "command",
        "checkpoint is not on $PATH, where the hooks of agent clients look for it.",
        "npm install --global cairn-checkpoint",
      ),
    );
  const unfit = isSetUp ? unfitNode(world, join(world.packageRoot, "bin/checkpoint.js")) : undefined;
  if (unfit !== undefined)
    findings.push(
      warning(
        "node",
        `The Node that hooks fall back to does not run the command: ${unfit}`,
        "checkpoint init",
      ),
    );
  return findings;
};

async function checkClient(
  client: SetupClient,
  project: Project,
  plan: () => Promise<readonly ClientPlan[]>,
): Promise<DoctorFinding[]> {
  try {
    return await Promise.all((await plan()).map((each) => judge(each, project)));
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    const isLine = error.details["line"] !== undefined;
    return [problem(client, error.message, isLine ? "Fix that line in an editor." : (error.hint ?? null))];
  }
}

async function judge(
  { client, name, changes, notes, waitsFor }: ClientPlan,
  project: Project,
): Promise<DoctorFinding> {
  if (changes.some(isChange))
    return note(
      client,
      `${name} is installed, but not set up to save by itself, or it was set up by an earlier version.`,
      `checkpoint init --client ${client}`,
    );
  if (waitsFor !== undefined)
    return warning(client, `${name} is set up, but does not run our hooks yet.`, waitsFor);
  const [first] = notes;
  if (first !== undefined) return note(client, first);
  const [settings] = changes;
  if (settings !== undefined && (await isSilent(project, client, settings.path)))
    return warning(
      client,
      `${name} is set up and has been used here since, but sent no event.`,
      `Restart ${name}, and look at its hooks: /hooks`,
    );
  return ok(client, `${name} is set up to save by itself`);
}
