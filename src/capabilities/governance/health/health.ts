import type {
  DeclaredDependency,
  ProbedDependency,
  ProbeOptions,
} from "../../../work/capture/probes/probe.ts";
import { probeDependencies } from "../../../work/capture/probes/probe.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import { openBreaker, type BreakerState } from "./breaker.ts";

interface DependencyHealth extends ProbedDependency {
  readonly breaker: BreakerState;
}

export interface HealthReport {
  readonly dependencies: readonly DependencyHealth[];
  /** The breakers as they are now, for whoever asks next. */
  readonly breakers: Breakers;
}

type Breakers = Readonly<Record<string, JsonObject>>;

/**
 * Probes what is declared, each through its breaker. Where a breaker is open nothing is asked, so a dependency that
 * hangs holds nobody up twice. Never rejects.
 */
export async function checkHealth(
  declared: readonly DeclaredDependency[],
  options: ProbeOptions,
  known: Breakers,
): Promise<HealthReport> {
  const checked = await Promise.all(declared.map((dependency) => checkOne(dependency, options, known)));
  return {
    dependencies: checked.map(({ health }) => health),
    breakers: Object.fromEntries(checked.map(({ health, state }) => [health.name, state])),
  };
}

async function checkOne(dependency: DeclaredDependency, options: ProbeOptions, known: Breakers) {
  const { name } = dependency;
  const breaker = await openBreaker(Object.hasOwn(known, name) ? known[name] : undefined, options.now);
  let probed: ProbedDependency | undefined;
  await breaker.run(async () => {
    [probed] = await probeDependencies([dependency], options);
    // What we may not ask says nothing about whether it works.
    return probed?.status === "available" || probed?.status === "unknown";
  });
  const { state, stored } = breaker.now();
  const unknown = { endpoint: null, last_checked: null, latency_ms: null };
  const reason = "its breaker is open, so it was not asked";
  probed ??= { name, type: dependency.type, status: "unavailable", ...unknown, reason };
  return { health: { ...probed, breaker: state }, state: stored };
}
