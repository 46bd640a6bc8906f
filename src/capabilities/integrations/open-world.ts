import { CheckpointError } from "../../core/errors.ts";
import type { Project } from "../../work/project/project.ts";
import { areIntegrationsAccepted } from "../../work/project/settings/integrations.ts";
import { readSettings } from "../../work/project/settings/settings.ts";
import { vaultClient, vaultName } from "../vault/project-vault.ts";
import { resolveSecrets } from "../vault/secret-references.ts";
import type { HasIntegration, Integration, IntegrationWorld } from "./integration.ts";

/** The integrations of this build, and the world that they work in. Refused where the project names them and the user has not accepted that. */
export async function openWorld(
  project: Project,
  rest: Pick<IntegrationWorld, "signal" | "wait" | "tell">,
): Promise<{ readonly world: IntegrationWorld; readonly all: readonly Integration[] }> {
  const settings = await readSettings(project, project.root);
  const { integrations } = settings;
  if (integrations === undefined || Object.keys(integrations).length === 0) throw notConfigured();
  if (!areIntegrationsAccepted(project, project.root, settings)) throw notAccepted();
  const parts: readonly HasIntegration[] = project.capabilities;
  const all = await Promise.all(parts.flatMap(({ integration }) => integration?.() ?? []));
  return { world: { ...rest, project, settings: integrations, secret: secretsOf(project) }, all };
}

/** A variable is the secret, or says where it is in the vault: `secret://integrations/PATH#KEY`. */
function secretsOf(project: Project): IntegrationWorld["secret"] {
  const vault = () => vaultClient(project);
  return async (variable) => {
    const value = project.env[variable] || undefined;
    if (!value?.startsWith("secret://")) return value;
    const options = { vault, project: vaultName(project), tier: 0, parts: { integrations: 0 } };
    return (await resolveSecrets({ [variable]: value }, options))[variable];
  };
}

export function missingSecret(variable: string, what: string): CheckpointError {
  return new CheckpointError("missing-dependency", `${what} needs $${variable}.`, {
    hint: `Set $${variable} to it, or to its place in the vault: secret://integrations/PATH#KEY`,
    details: { variable },
  });
}

function notConfigured(): CheckpointError {
  return new CheckpointError("usage", "No integration is configured.", {
    hint: "Name one in cairn.yaml, under integrations: docs/integrations.md",
  });
}

function notAccepted(): CheckpointError {
  return new CheckpointError(
    "refused",
    "You have not accepted the integrations of this cairn.yaml as they are.",
    {
      hint: "They say where events go, and who may approve. Read them, then: checkpoint config --accept-integrations",
    },
  );
}
