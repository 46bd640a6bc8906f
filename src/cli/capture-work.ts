import { startWorkspace } from "../capture/git-workspace.ts";
import type { Phase, WorkState } from "../checkpoints/work-state.ts";
import { setOwn } from "../objects/json.ts";
import type { Configured } from "./config/settings.ts";
import type { Context } from "./context.ts";
import { hasStore, type Project } from "./open.ts";

/** What was seen from outside, under the names that it has in the work state. */
export type Seen = Partial<
  Pick<WorkState, "workspace" | "files_touched" | "dependencies" | "phase" | "phases_completed" | "variables">
>;

export interface Looking {
  /** Waits for everything that was started, and compares with where the workspace stood before. */
  finish(settings: Configured, earlier: WorkState["workspace"]): Promise<Seen>;
}

/** Starts to look at the world: git works on another core while the caller opens the store. */
export function startLooking(context: Context, project: Project, warn: (text: string) => void): Looking {
  const { root, folder } = project;
  const workspace = startWorkspace({
    root,
    env: context.env,
    scratch: hasStore(project) ? folder : undefined,
  });
  return {
    async finish(settings, earlier) {
      const probing = settings.dependencies.length > 0 ? probe(context, root, settings) : undefined;
      const plan = settings.plan === undefined ? undefined : await readPlan(root, settings.plan, warn);
      const git = await workspace.finish(earlier);
      if (git.reason !== undefined) warn(`Git could not tell everything: ${git.reason}.`);
      const dependencies = await probing;
      return {
        ...(git.workspace ? { workspace: git.workspace } : {}),
        ...(git.workspace ? { files_touched: git.files_touched } : {}),
        ...(dependencies ? { dependencies } : {}),
        ...plan,
      };
    },
  };
}

async function probe(context: Context, root: string, settings: Configured) {
  const { probeDependencies } = await import("../capture/probe.ts");
  return probeDependencies(settings.dependencies, {
    root,
    env: context.env,
    now: () => context.now().getTime(),
    allow: settings.allow_endpoints,
    timeoutMs: settings.probe_timeout_ms,
  });
}

async function readPlan(
  root: string,
  path: string,
  warn: (text: string) => void,
): Promise<Pick<Seen, "phase" | "phases_completed">> {
  const { readPlanFile } = await import("../capture/plan-file.ts");
  const { phase, phases_completed, reason } = readPlanFile(root, path);
  if (reason !== undefined) warn(`The phase is unknown: ${reason}.`);
  return phase === undefined ? {} : { phase, phases_completed };
}

/** Puts what was seen into the state. Variables are added to those that are there; all else replaces what was. */
export function applySeen(state: WorkState, seen: Seen, now: Date): void {
  const { variables = {}, phase, ...rest } = seen;
  for (const [key, value] of Object.entries(variables)) setOwn(state.variables, key, value);
  if (phase !== undefined) state.phase = mergePhase(state.phase, phase, now);
  Object.assign(state, rest);
  state.recent_outputs = state.recent_outputs.slice(-10);
}

/** A plan knows the status of a phase, but not since when; that stays as long as it is the same phase. */
function mergePhase(before: Phase | undefined, seen: Phase, now: Date): Phase {
  const isSame = before !== undefined && before.name === seen.name && before.number === seen.number;
  if (isSame) return { ...seen, started_at: before.started_at, notes: before.notes };
  return { ...seen, started_at: seen.status === "in_progress" ? now.toISOString() : null };
}
