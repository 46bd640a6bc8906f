import { probeDependencies } from "../../capture/probes/probe.ts";
import type { Project } from "../project.ts";
import { readSettings } from "../settings/settings.ts";

/** Asks every service that the settings declare. */
export async function probeServices(project: Project): ReturnType<typeof probeDependencies> {
  const { root, env } = project;
  const { dependencies, allow_endpoints: allow, probe_timeout_ms } = await readSettings(project, root);
  const now = () => project.now().getTime();
  return probeDependencies(dependencies, { root, env, now, allow, timeoutMs: probe_timeout_ms });
}
