import { MOST_FILES_TOUCHED, type Phase, type Workspace, type WorkState } from "../state/work-state.ts";
import { setOwn } from "../../core/objects/json.ts";
import type { Environment } from "../machine/environment.ts";
import { startWorkspace } from "./git/git-workspace.ts";
import type { DeclaredDependency } from "./probes/probe.ts";

/** The project to look at, and what looking takes from the machine. */
export interface LookContext {
  readonly root: string;
  readonly env: Environment;
  readonly now: () => Date;
}

/** What the configuration says there is to look at. */
interface LookSettings {
  /** The implementation plan whose headings name the phase. */
  readonly plan?: string | undefined;
  readonly dependencies: readonly DeclaredDependency[];
  readonly allow_endpoints: readonly string[];
  readonly probe_timeout_ms: number;
  /** Where each setting comes from. */
  readonly sources: Readonly<Record<string, string>>;
}

/** The fields of the work state that can be seen from outside. */
export type SeenFields = Partial<
  Pick<WorkState, "workspace" | "files_touched" | "dependencies" | "phase" | "phases_completed" | "variables">
>;

export interface StartedLook {
  /** Waits for everything that was started, and compares with an earlier workspace. */
  finish(settings: LookSettings, earlier: WorkState["workspace"]): Promise<SeenFields>;
}

/** Starts to look at the world: git works on another core while the caller opens the store. */
export function startLooking(context: LookContext, warn: (text: string) => void): StartedLook {
  const { root, env } = context;
  const started = startWorkspace({ root, env });
  return {
    async finish(settings, earlier) {
      // Even if every declared service is invalid: what an earlier look saw of them must not stay.
      const isDeclared = settings.sources["dependencies"] !== undefined;
      const probing = isDeclared ? probe(context, settings) : undefined;
      const plan = settings.plan === undefined ? undefined : await readPlan(root, settings.plan, warn);
      const { workspace, files_touched, reason } = await started.finish(earlier);
      if (reason !== undefined) warn(`Git could not tell everything: ${reason}.`);
      const dependencies = await probing;
      return {
        ...(workspace ? capped(workspace, files_touched) : {}),
        ...(dependencies ? { dependencies } : {}),
        ...plan,
      };
    },
  };
}

const MOST_FILES_SEEN = 200;

/** The first files, and how many more there are. Git lists changed files before new ones. */
function capped(workspace: Workspace, files: readonly string[]): SeenFields {
  const more_files = files.length - MOST_FILES_SEEN;
  if (more_files <= 0) return { workspace, files_touched: [...files] };
  return { workspace: { ...workspace, more_files }, files_touched: files.slice(0, MOST_FILES_SEEN) };
}

async function probe({ root, env, now }: LookContext, settings: LookSettings) {
  const { probeDependencies } = await import("./probes/probe.ts");
  return probeDependencies(settings.dependencies, {
    root,
    env,
    now: () => now().getTime(),
    allow: settings.allow_endpoints,
    timeoutMs: settings.probe_timeout_ms,
  });
}

async function readPlan(
  root: string,
  path: string,
  warn: (text: string) => void,
): Promise<Pick<SeenFields, "phase" | "phases_completed">> {
  const { readPlanFile } = await import("./plan/plan-file.ts");
  const { phase, phases_completed, reason } = readPlanFile(root, path);
  if (reason !== undefined) warn(`The phase is unknown: ${reason}.`);
  return phase === undefined ? {} : { phase, phases_completed };
}

/**
 * Puts what was seen into the state. Variables are added; everything else replaces what was there. Only the files of an
 * agent's session are kept: its hooks also saw those that are committed by now, or lie outside the project.
 */
export function applySeen(state: WorkState, seen: SeenFields, now: Date): void {
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

/** A plan gives the status of a phase, but not its start time; that is kept while the phase is the same. */
function mergePhase(before: Phase | undefined, seen: Phase, now: Date): Phase {
  const isSame = before !== undefined && before.name === seen.name && before.number === seen.number;
  if (isSame) return { ...seen, started_at: before.started_at, notes: before.notes };
  return { ...seen, started_at: seen.status === "in_progress" ? now.toISOString() : null };
}
