import { read } from "../../shape/read.ts";
import { applySeen, startLooking } from "../../capture/look.ts";
import type { CollectedState } from "../../capture/collectors/collect-commands.ts";
import type { CollectorCommand } from "../../capture/collectors/run-collector.ts";
import { FIELDS } from "../../state/fields.ts";
import type { RecentOutput, WorkState } from "../../state/work-state.ts";
import type { Json } from "../../../core/objects/json.ts";
import { findPart, notInBuild } from "../capability.ts";
import { commitWork } from "../commit-work.ts";
import { variableName } from "../sentence.ts";
import type { Project } from "../project.ts";
import { settingsOf } from "../settings/settings.ts";

export interface NowInput {
  readonly trail?: string | undefined;
  readonly notes?: string | undefined;
  readonly variables?: Readonly<Record<string, Json>> | undefined;
  /** Save nothing if the last checkpoint already says it all: for callers that save repeatedly. */
  readonly onlyNews?: boolean | undefined;
  readonly trigger?: string | undefined;
  /** Keep the project's files, too. */
  readonly files?: boolean | undefined;
}

/** Saves a checkpoint of where the work stands, with what git, the plan and the declared services say now. */
export async function now(project: Project, input: NowInput) {
  const saved = await saveWork(project, input);
  if (input.files) await keepFiles(project, saved.checkpoint?.trail);
  return saved;
}

async function keepFiles(project: Project, trail: string | undefined): Promise<void> {
  const snapshots = await findPart(project, "snapshots");
  if (snapshots === undefined) throw notInBuild("The files of a project are kept by a capability", "files");
  const { files, leftOut, failed } = await snapshots.take(project, { why: "manual", trail });
  if (failed !== null) return project.notices.warning(`The files were not kept: ${failed}.`);
  const without = leftOut === 0 ? "" : `, ${leftOut} of them by name alone (checkpoint files says why)`;
  const what = files === 1 ? "1 file that differs" : `${files} files that differ`;
  project.notices.message(`Kept ${what} from the last commit${without}.`);
}

async function saveWork(project: Project, input: NowInput) {
  const { trail, notes, variables = {}, onlyNews = false, trigger = "manual" } = input;
  const named = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [variableName(name), value]),
  );
  // Git is the slowest part, so it starts first and runs on another core while the store is opened.
  const looking = startLooking(project, (text) => project.notices.warning(text));
  return commitWork(project, {
    trail,
    action: "save",
    trigger,
    notes,
    fresh: async (before) => {
      const settings = await settingsOf(project);
      const collecting = collect(project, settings.collectors);
      const seen = await looking.finish(settings, before?.workspace);
      const { variables: collected, recent_outputs } = await collecting;
      // What the caller says goes before what was found.
      return {
        ...seen,
        variables: { ...collected, ...named },
        ...(recent_outputs.length > 0 && { recent_outputs }),
      };
    },
    ifChanged: onlyNews,
    change: (draft, { recent_outputs = [], ...fresh }) => {
      const before = onlyNews ? structuredClone(draft) : undefined;
      addOutputs(draft, recent_outputs);
      applySeen(draft, fresh, project.now());
      // A service that answers a little slower is not news.
      return before !== undefined && withoutTimes(draft) === withoutTimes(before) ? before : draft;
    },
  });
}

/** Most projects have no collector, and load no code for them. */
async function collect(project: Project, collectors: readonly CollectorCommand[]): Promise<CollectedState> {
  if (collectors.length === 0) return { variables: {}, recent_outputs: [] };
  const { collectCommands } = await import("../../capture/collectors/collect-commands.ts");
  return collectCommands(collectors, project, (text) => project.notices.warning(text));
}

/** An output with a name takes the place of an earlier one of that name. */
function addOutputs(state: WorkState, outputs: readonly RecentOutput[]): void {
  const isReplaced = (old: RecentOutput) =>
    outputs.some(({ type, id }) => id !== "" && type === old.type && id === old.id);
  if (outputs.length > 0)
    state.recent_outputs = [...state.recent_outputs.filter((old) => !isReplaced(old)), ...outputs];
}

function withoutTimes(state: WorkState): string {
  const dependencies = read(FIELDS.dependencies.shape, state.dependencies)?.map(
    ({ last_checked: _checked, latency_ms: _latency, ...rest }) => rest,
  );
  return JSON.stringify({ ...state, dependencies });
}
