import type { Dependency } from "../../state/work-state.ts";
import { type DeclaredEndpoint, type Endpoint, parseEndpoint } from "./endpoint.ts";
import { allowedEndpoint, type EndpointSource, isListed } from "./endpoint-trust.ts";
import type { Question } from "./ask.ts";
import type { Environment } from "../../machine/environment.ts";
import { probeHttp } from "./probe-http.ts";
import { probePostgres } from "./probe-postgres.ts";
import { probeRedis } from "./probe-redis.ts";
import { probeSqlite } from "./probe-sqlite.ts";
import { probeTcp } from "./probe-tcp.ts";
import type { DependencyStatus } from "./verdict.ts";

export interface DeclaredDependency extends DeclaredEndpoint {
  readonly source: EndpointSource;
  /** The name of the variable that holds the password. A password in the endpoint is never used. */
  readonly password_env?: string;
}

/** An entry of the checkpoint's `dependencies`. */
export interface ProbedDependency extends Dependency {
  status: DependencyStatus;
  latency_ms: number | null;
  reason?: string;
}

export interface ProbeOptions {
  /** For files: the folder that relative paths start from. */
  readonly root: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly env: Environment;
  /** Endpoints that the user's own configuration allows: see `allowedEndpoint`. */
  readonly allow?: readonly string[];
  /** For each probe. They run at the same time, so all of them together take about as long. */
  readonly timeoutMs?: number;
}

/** A project's list must not make us open sockets without end. */
const MAX_PROBES = 32;

/**
 * Probes every declared dependency; the results are in the order of declaration. Never rejects, leaves no socket or
 * timer behind, and returns no credentials.
 */
export async function probeDependencies(
  declared: readonly DeclaredDependency[],
  options: ProbeOptions,
): Promise<ProbedDependency[]> {
  // All clients are loaded before the first question: loading one would keep the answers to others waiting.
  const probes = await Promise.all(declared.map(async (each, index) => prepare(each, index, options)));
  return Promise.all(probes.map(async (probe) => probe()));
}

async function prepare(
  dependency: DeclaredDependency,
  index: number,
  options: ProbeOptions,
): Promise<() => Promise<ProbedDependency>> {
  const { name, type, source } = dependency;
  const endpoint = parseEndpoint(dependency, options.root);
  const entry = { name, type, endpoint: endpoint?.shown ?? null };
  if (endpoint === undefined) return notAsked(entry, "the endpoint is not understood");
  if (!allowedEndpoint(endpoint, source, options.allow ?? [])) {
    return notAsked(entry, "not allowed by your user config");
  }
  if (index >= MAX_PROBES) return notAsked(entry, `only the first ${MAX_PROBES} are probed`);
  const question = await questionFor(endpoint, dependency, options);
  return async () => {
    const started = options.now();
    const verdict = await question();
    const ended = options.now();
    return {
      ...entry,
      ...verdict,
      last_checked: new Date(ended).toISOString(),
      latency_ms: verdict.status === "unavailable" ? null : Math.max(0, Math.round(ended - started)),
    };
  };
}

function notAsked(entry: Pick<Dependency, "name" | "type" | "endpoint">, reason: string) {
  return async (): Promise<ProbedDependency> => ({
    ...entry,
    status: "unknown",
    reason,
    last_checked: null,
    latency_ms: null,
  });
}

async function questionFor(
  endpoint: Endpoint,
  dependency: DeclaredDependency,
  options: ProbeOptions,
): Promise<Question> {
  const timeoutMs = options.timeoutMs ?? 1000;
  switch (endpoint.protocol) {
    case "http":
      return probeHttp(endpoint, timeoutMs);
    case "redis":
      return probeRedis(endpoint, timeoutMs, passwordFor(endpoint, dependency, options));
    case "postgres":
      return probePostgres(endpoint, timeoutMs);
    case "sqlite":
      return async () => probeSqlite(endpoint);
    case "tcp":
    default:
      return probeTcp(endpoint, timeoutMs);
  }
}

/**
 * A project may name a variable, but may not have its value sent to an endpoint of its choice: the user must allow
 * that, even on this machine.
 */
function passwordFor(
  endpoint: Endpoint,
  dependency: DeclaredDependency,
  options: ProbeOptions,
): string | undefined {
  const { password_env: variable, source } = dependency;
  if (variable === undefined || !Object.hasOwn(options.env, variable)) return undefined;
  const isTrusted = source === "user" || isListed(endpoint, options.allow ?? []);
  return isTrusted ? options.env[variable] : undefined;
}
