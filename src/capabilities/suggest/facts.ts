import type { Checkpoint } from "../../core/trails/document.ts";
import { startWorkspace } from "../../work/capture/git/git-workspace.ts";
import { handoff } from "../../work/handoff/handoff.ts";
import type { Project } from "../../work/project/project.ts";
import { settingsOf } from "../../work/project/settings/settings.ts";
import { loadIfAny } from "../../work/sessions/trails/unfinished.ts";
import type { Cairn } from "../../work/state/cairn.ts";
import type { WorkState } from "../../work/state/work-state.ts";
import type { Bug } from "../bugs/verbs.ts";
import { watchBugs } from "../bugs/watch.ts";
import type { Facts } from "./rule.ts";

/** Trails with work of their own: the project's, sessions without their sub-agents, runs. */
const LOOKED_AT = /^(?:main|run\/[^/]+|session\/[^/]+)$/;
/** The newest ones: what was long ago is of no use. */
const MOST_TRAILS = 50;
const QUIET_MS = 3_600_000;
/** What most clients let through of a briefing. */
const MOST_CHARS = 9000;

/** What the rules look at, trail by trail, the newest first. A damaged trail is left out: `verify` tells. */
export async function gatherFacts(project: Project, cairn: Cairn): Promise<Facts[]> {
  const { root, env, now } = project;
  const git = startWorkspace({ root, env });
  const { bugs } = await watchBugs(project);
  const { governance = false } = await settingsOf(project);
  const { workspace, files_touched, reason } = await git.finish();
  const isKnown = workspace !== undefined && reason === undefined;
  const around = {
    now: now(),
    changed: isKnown ? new Set(files_touched) : undefined,
    isGoverned: governance,
    bugs: bugs.filter(({ status }) => status === "open"),
    key: (await cairn.store.identity()).key,
  };
  const trails = (await cairn.trails()).filter(({ name }) => LOOKED_AT.test(name)).slice(0, MOST_TRAILS);
  const facts: Facts[] = [];
  for (const { name } of trails) {
    const found = await loadIfAny(cairn, name);
    if (found !== undefined) facts.push(factsOf(found, around));
  }
  return facts;
}

interface Around extends Pick<Facts, "now" | "changed" | "isGoverned" | "bugs"> {
  readonly key: Uint8Array;
}

function factsOf({ state, ...checkpoint }: Checkpoint<WorkState>, { key, bugs, ...around }: Around): Facts {
  const { trail } = checkpoint;
  return {
    ...around,
    trail,
    state,
    isQuiet: isQuiet(state, checkpoint.created_at, around.now),
    bugs: bugs.filter(({ trails }: Bug) => trails.includes(trail)),
    droppedRules: droppedRules({ state, checkpoint, key }),
  };
}

function isQuiet({ session }: WorkState, savedAt: string, now: Date): boolean {
  return session?.status === "ended" || now.getTime() - Date.parse(savedAt) > QUIET_MS;
}

function droppedRules(input: Parameters<typeof handoff>[0]): string[] {
  const { constraints = [] } = input.state;
  if (constraints.length === 0) return [];
  const { kept } = handoff(input, { shrink: true, maxChars: MOST_CHARS });
  const whole = new Set(kept.flatMap(({ id, form }) => (form === "full" ? [id] : [])));
  return constraints.filter((_, index) => !whole.has(`constraints[${index}]`)).map(({ text }) => text);
}
