import { applySeen, startLooking } from "../../capture/look.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import type { Json } from "../../objects/json.ts";
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
}

/** Saves a checkpoint of where the work stands, with what git, the plan and the declared services say now. */
export async function now(project: Project, input: NowInput) {
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
      const seen = await looking.finish(await settingsOf(project), before?.workspace);
      return { ...seen, variables: named };
    },
    ifChanged: onlyNews,
    change: (draft, fresh) => {
      const before = onlyNews ? structuredClone(draft) : undefined;
      applySeen(draft, fresh, project.now());
      // A service that answers a little slower is not news.
      return before !== undefined && withoutTimes(draft) === withoutTimes(before) ? before : draft;
    },
  });
}

function withoutTimes({ dependencies, ...state }: WorkState): string {
  const lasting = (dependencies ?? []).map(
    ({ last_checked: _checked, latency_ms: _latency, ...rest }) => rest,
  );
  return JSON.stringify({ ...state, dependencies: lasting });
}
