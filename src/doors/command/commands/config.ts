import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe } from "../../../core/text/untrusted.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { CommandOf } from "../command.ts";
import { table } from "../../../work/terminal/columns.ts";
import { askGate } from "../../../work/project/gate.ts";
import type { Project } from "../../../work/project/project.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { acceptCollectors } from "../../../work/project/settings/accepted-collectors.ts";
import { acceptPatterns } from "../../../work/project/settings/accepted-patterns.ts";
import { acceptIntegrations, areIntegrationsAccepted } from "../../../work/project/settings/integrations.ts";
import { answererOf } from "../../../work/project/answering.ts";
import { acceptStore } from "../../../work/project/configured-store.ts";
import { chooseTrail } from "../../../work/project/choose-trail.ts";
import { PROJECT_FILE, readSettings, userConfigFile } from "../../../work/project/settings/settings.ts";

export const config: CommandOf<"config"> = async (context, accepted, output) => {
  const project = context.project;
  const { root, folder } = project;
  if (accepted.acceptPatterns) await accept(project, output);
  if (accepted.acceptCollectors) await runCollectors(project, output);
  if (accepted.acceptIntegrations) await useIntegrations(project, output);
  if (accepted.acceptStore) await useStore(project, output);
  const {
    sources,
    warnings,
    unaccepted: _,
    unacceptedCollectors: __,
    ...settings
  } = await readSettings(project, root);
  for (const warning of warnings) output.warning(warning);
  const files = { project: join(root, PROJECT_FILE), user: userConfigFile(project) ?? null };
  const trail = chooseTrail(project, undefined);
  const named = project.actor.agentId;
  const agent = named ?? settings.agent_id ?? null;
  const { style } = output;
  output.result({ root, store: folder, trail, agent, files, settings, sources }, () => {
    const rows = [
      ["root", "", root],
      ["trail", trail.by, trail.name],
      ["agent", named === undefined ? (sources["agent_id"] ?? "") : "environment", agent ?? "none"],
      ...Object.entries(settings)
        .filter(([name, value]) => value !== undefined && name !== "agent_id")
        .map(([name, value]) => [
          name,
          sources[name] ?? (isSet(value) ? "files" : "default"),
          oneLine(shown(value)),
        ]),
      ...Object.entries(files).map(([whose, path]) => [
        `${whose} config`,
        path !== null && existsSync(path) ? "read" : "not there",
        path ?? "none",
      ]),
    ];
    return table(
      rows.map(([name = "", source = "", value = ""]) => [style.bold(name), style.dim(source), value]),
      undefined,
    );
  });
};

async function accept(project: Project, output: Output): Promise<void> {
  const { unaccepted } = await readSettings(project, project.root);
  if (unaccepted.length > 0) {
    await askGate(project, "keep.patterns");
    acceptPatterns(project, join(project.root, PROJECT_FILE), unaccepted);
  }
  for (const { name, pattern } of unaccepted)
    output.message(`Accepted the redaction pattern ${oneLine(name)}: ${oneLine(String(pattern))}`);
}

/** They say who may approve, so an agent does not accept them, governed or not. */
async function useIntegrations(project: Project, output: Output): Promise<void> {
  const settings = await readSettings(project, project.root);
  const { integrations } = settings;
  if (integrations === undefined || areIntegrationsAccepted(project, project.root, settings)) return;
  const { agent } = await answererOf(project);
  if (agent !== undefined)
    throw new CheckpointError("refused", `${agent} may not accept integrations: a person does.`, {
      hint: "Accept them in a terminal of your own.",
      details: { refused: true },
    });
  await askGate(project, "keep.integrations");
  acceptIntegrations(project, project.root, integrations);
  output.message(`Accepted the integrations ${oneLine(Object.keys(integrations).join(", "))}.`);
}

async function runCollectors(project: Project, output: Output): Promise<void> {
  const { unacceptedCollectors: collectors } = await readSettings(project, project.root);
  if (collectors.length > 0) {
    await askGate(project, "keep.collectors");
    acceptCollectors(project, join(project.root, PROJECT_FILE), collectors);
  }
  for (const { name, command } of collectors)
    output.message(`Accepted the collector ${oneLine(name)}: ${oneLine(command.map(shellWord).join(" "))}`);
}

async function useStore(project: Project, output: Output): Promise<void> {
  const { store } = await readSettings(project, project.root);
  if (store === undefined)
    throw new CheckpointError("not-found", `"${PROJECT_FILE}" names no store.`, {
      hint: "Write into it: store: { url_env: CAIRN_STORE_URL, schema: NAME }",
    });
  acceptStore(project, project.root, store);
  output.message(
    `From now on what is saved here goes to the store in $${store.url_env}, schema ${store.schema}.`,
  );
}

const isSet = (value: unknown) => Array.isArray(value) && value.length > 0;

function shown(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === "object")) {
    return value.length === 0 ? "none" : value.map((item: { name?: string }) => item.name ?? "?").join(", ");
  }
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return typeof value === "string" ? value : describe(value, 200);
}
