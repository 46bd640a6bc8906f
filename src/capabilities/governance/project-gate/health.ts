import type { Governance } from "../gate/governance.ts";
import { checkHealth, type HealthReport } from "../health/health.ts";
import type { Project } from "../../../work/project/project.ts";
import { settingsOf } from "../../../work/project/settings/settings.ts";
import { isGoverned } from "../../../work/project/gate.ts";
import { governanceOf } from "./open-governance.ts";
import { hasStore } from "../../../work/project/find-project.ts";

/** Probes what the project depends on. Where it is governed, breakers remember what was found. */
export async function health(project: Project): Promise<HealthReport> {
  if (!hasStore(project)) return healthWith(project, undefined);
  const cairn = await project.stores.open(project, "write", null);
  const isOn = await isGoverned(project, cairn);
  return healthWith(project, isOn ? await governanceOf(project, cairn) : undefined);
}

/** The same for some of the dependencies. */
export async function healthWith(
  project: Project,
  governance: Governance | undefined,
  names?: ReadonlySet<string>,
): Promise<HealthReport> {
  const { root, env, now } = project;
  const { dependencies, allow_endpoints: allow, probe_timeout_ms: timeoutMs } = await settingsOf(project);
  const asked = dependencies.filter(({ name }) => names?.has(name) ?? true);
  const known = (await governance?.shared())?.breakers ?? {};
  const options = { root, env, now: () => now().getTime(), allow, timeoutMs };
  const report = await checkHealth(asked, options, known);
  const isNews = Object.entries(report.breakers).some(
    ([name, breaker]) => JSON.stringify(breaker) !== JSON.stringify(known[name]),
  );
  if (governance !== undefined && isNews)
    await governance.append(
      () => [],
      (state) => {
        state.breakers = { ...state.breakers, ...report.breakers };
      },
    );
  return report;
}
