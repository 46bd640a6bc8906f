import type { DeclaredDependency } from "../../capture/probes/probe.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { Environment } from "../../machine/environment.ts";
import { timerMs } from "../../../core/text/duration.ts";
import type { CollectorCommand } from "../../capture/collectors/run-collector.ts";
import { areCollectorsAccepted, collectorsNotAccepted } from "./accepted-collectors.ts";
import { areAccepted, notAccepted } from "./accepted-patterns.ts";
import type { ConfigFile } from "./fields.ts";
import { DEFAULTS, type Configured, type Settings, type Source } from "./settings.ts";
import { FAMILY_NAMES, LEVEL_NAMES } from "./summary-choices.ts";

/** Puts the settings of all sources together: the environment goes before the project, the project before the user. */
export async function mergeSettings(
  env: Environment,
  files: { readonly project: string | undefined; readonly user: string | undefined },
): Promise<Configured> {
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  const read = async (path: string | undefined, source: "project" | "user"): Promise<ConfigFile> => {
    if (path === undefined) return {};
    const { readConfigFile } = await import("./config-file.ts");
    return readConfigFile(path, source, warn);
  };
  const user = await read(files.user, "user");
  const project = withoutForeignCache(await read(files.project, "project"), user, warn);
  const sources: Record<string, Source> = {};
  const settings: Record<string, unknown> = { ...DEFAULTS };
  for (const [source, values] of [
    ["user", single(user)],
    ["project", single(project)],
    ["environment", fromEnvironment(env)],
  ] as const) {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue;
      settings[name] = value;
      sources[name] = source;
    }
  }
  // What the user wants governed, a repository must not let go.
  if (single(user).governance === true) {
    settings["governance"] = true;
    sources["governance"] = "user";
  }
  const own = project.redact?.patterns ?? [];
  const unaccepted = files.project === undefined || areAccepted({ env }, files.project, own) ? [] : own;
  if (files.project !== undefined && unaccepted.length > 0) warn(notAccepted(files.project, unaccepted));
  const foreign = collectorsIn(project);
  const areWanted = files.project === undefined || areCollectorsAccepted({ env }, files.project, foreign);
  const unacceptedCollectors = areWanted ? [] : foreign;
  if (files.project !== undefined && unacceptedCollectors.length > 0)
    warn(collectorsNotAccepted(files.project, unacceptedCollectors));
  if (user.dependencies) sources["dependencies"] = "user";
  if (project.dependencies) sources["dependencies"] = "project";
  const lists = {
    dependencies: [...declared(user, "user"), ...declared(project, "project")],
    redact: [...(user.redact?.patterns ?? []), ...(unaccepted.length > 0 ? [] : own)],
    collectors: [...collectorsIn(user), ...(areWanted ? foreign : [])],
    redact_allow: user.redact?.allow ?? [],
    allow_endpoints: user.allow_endpoints ?? [],
    remotes: [...(project.remotes ?? []), ...(user.remotes ?? [])],
  };
  return {
    ...(settings as unknown as Settings),
    ...lists,
    sources,
    warnings,
    unaccepted,
    unacceptedCollectors,
  };
}

/** Settings of which the stronger source's value counts; lists of both sources are put together instead. */
function single(file: ConfigFile): Partial<Record<keyof Settings, unknown>> {
  const {
    plan,
    agent_id,
    agent_tier,
    keep,
    probe_timeout,
    mirror,
    cache,
    store,
    summary,
    governance,
    files,
    integrations,
    suggestions,
  } = file;
  return {
    plan,
    agent_id,
    agent_tier,
    keep,
    mirror,
    cache,
    probe_timeout_ms: timerMs(probe_timeout),
    integrations,
    store: store && { url_env: store.url_env, schema: store.schema ?? "cairn" },
    level: summary?.level,
    family: summary?.family,
    governance: isOn(governance),
    files: isOn(files),
    suggestions: isOn(suggestions),
  };
}

const isOn = (value: ConfigFile["files"]) =>
  value === undefined ? undefined : value === "on" || value === true;

/** Work goes to the cache, so a repository must not choose it for those who open it. */
function withoutForeignCache(
  { cache, ...project }: ConfigFile,
  { allow_endpoints: allowed = [] }: ConfigFile,
  warn: (warning: string) => void,
): ConfigFile {
  if (cache === undefined) return project;
  const host = URL.parse(cache)?.host ?? "";
  if (allowed.includes(cache) || allowed.includes(host)) return { ...project, cache };
  warn(
    `The cache that the project names is not used. If you want it, list "${host}" in allow_endpoints of your own config.`,
  );
  return project;
}

const COLLECTOR_TIMEOUT_MS = 2000;

function collectorsIn({ collectors = [] }: ConfigFile): CollectorCommand[] {
  return collectors.map(({ name, command, into = "variables", timeout }) => ({
    name,
    command,
    into,
    timeout_ms: timerMs(timeout) ?? COLLECTOR_TIMEOUT_MS,
  }));
}

function declared(file: ConfigFile, source: "project" | "user"): DeclaredDependency[] {
  return (file.dependencies ?? []).map(({ type, ...dependency }) => ({
    ...dependency,
    type: type ?? "service",
    source,
  }));
}

function fromEnvironment(env: Environment): Partial<Record<keyof Settings, unknown>> {
  return {
    plan: env["CHECKPOINT_PLAN"] || undefined,
    keep: numberFrom(env, "CHECKPOINT_KEEP"),
    cache: env["CHECKPOINT_CACHE"] || undefined,
    level: wordFrom(env, "CHECKPOINT_LEVEL", LEVEL_NAMES),
    family: wordFrom(env, "CHECKPOINT_FAMILY", FAMILY_NAMES),
  };
}

function numberFrom(env: Environment, name: string): number | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw wrongVariable(name, text, "a whole number of at least 1");
}

function wordFrom(env: Environment, name: string, words: readonly string[]): string | undefined {
  const text = env[name];
  if (!text || words.includes(text)) return text || undefined;
  throw wrongVariable(name, text, `one of ${words.join(", ")}`);
}

function wrongVariable(name: string, text: string, wanted: string): CheckpointError {
  return new CheckpointError("usage", `$${name} is "${text}", where ${wanted} is needed.`, {
    hint: "checkpoint help environment",
    details: { variable: name },
  });
}
