import { MOST_FILES_TOUCHED, type Phase, type WorkState } from "../checkpoints/work-state.ts";
import { setOwn } from "../objects/json.ts";
import type { Environment } from "./environment.ts";
import { startWorkspace } from "./git/git-workspace.ts";
import type { DeclaredDependency } from "./probes/probe.ts";

/** What looking at the world takes from it. */
export interface Onlooker {
  readonly env: Environment;
  readonly now: () => Date;
}

/** What the configuration says there is to look at. */
interface LookSettings {
  /** The implementation plan whose headings say the phase. */
  readonly plan?: string | undefined;
  readonly dependencies: readonly DeclaredDependency[];
  readonly allow_endpoints: readonly string[];
  readonly probe_timeout_ms: number;
}

/** What was seen from outside, under the names that it has in the work state. */
export type Seen = Partial<
  Pick<WorkState, "workspace" | "files_touched" | "dependencies" | "phase" | "phases_completed" | "variables">
>;

export interface Looking {
  /** Waits for everything that was started, and compares with where the workspace stood before. */
  finish(settings: LookSettings, earlier: WorkState["workspace"]): Promise<Seen>;
}

/** Starts to look at the world around a project: git works on another core while the caller opens the store. */
export function startLooking(
  onlooker: Onlooker,
  { root }: { readonly root: string },
  warn: (text: string) => void,
): Looking {
  const workspace = startWorkspace({ root, env: onlooker.env });
  return {
    async finish(settings, earlier) {
      const probing = settings.dependencies.length > 0 ? probe(onlooker, root, settings) : undefined;
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

async function probe(onlooker: Onlooker, root: string, settings: LookSettings) {
  const { probeDependencies } = await import("./probes/probe.ts");
  return probeDependencies(settings.dependencies, {
    root,
    env: onlooker.env,
    now: () => onlooker.now().getTime(),
    allow: settings.allow_endpoints,
    timeoutMs: settings.probe_timeout_ms,
  });
}

async function readPlan(
  root: string,
  path: string,
  warn: (text: string) => void,
): Promise<Pick<Seen, "phase" | "phases_completed">> {
  const { readPlanFile } = await import("./plan/plan-file.ts");
  const { phase, phases_completed, reason } = readPlanFile(root, path);
  if (reason !== undefined) warn(`The phase is unknown: ${reason}.`);
  return phase === undefined ? {} : { phase, phases_completed };
}

/**
 * Puts what was seen into the state. Variables are added to those that are there; all else replaces what was, but for
 * the files of an agent's session: its hooks saw also those that are committed by now, or that lie elsewhere.
 */
export function applySeen(state: WorkState, seen: Seen, now: Date): void {
  const { variables = {}, phase, files_touched, ...rest } = seen;
  for (const [key, value] of Object.entries(variables)) setOwn(state.variables, key, value);
  if (phase !== undefined) state.phase = mergePhase(state.phase, phase, now);
  Object.assign(state, rest);
  if (files_touched !== undefined) state.files_touched = withFiles(state, files_touched);
  state.recent_outputs = state.recent_outputs.slice(-10);
}

function withFiles(state: WorkState, seen: readonly string[]): string[] {
  if (state.session === undefined) return [...seen];
  return [...new Set([...state.files_touched, ...seen])].slice(-MOST_FILES_TOUCHED);
}

/** A plan knows the status of a phase, but not since when; that stays as long as it is the same phase. */
function mergePhase(before: Phase | undefined, seen: Phase, now: Date): Phase {
  const isSame = before !== undefined && before.name === seen.name && before.number === seen.number;
  if (isSame) return { ...seen, started_at: before.started_at, notes: before.notes };
  return { ...seen, started_at: seen.status === "in_progress" ? now.toISOString() : null };
}
