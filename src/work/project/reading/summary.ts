import { markIfImported } from "../../state/imported-marks.ts";
import { readWorkState, type WorkState } from "../../state/work-state.ts";
import { handoff } from "../../handoff/handoff.ts";
import { budgetOf, type HandoffOptions } from "../../handoff/options.ts";
import type { Handoff } from "../../handoff/report.ts";
import { commandToResume } from "../../sessions/command-to-resume.ts";
import { PROJECT_TRAIL } from "../../sessions/session.ts";
import { projectRules } from "../../sessions/trails/project-rules.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { readTrail } from "../choose-trail.ts";
import type { Store } from "../../../core/store/contract.ts";
import type { CheckpointInfo } from "../../../core/trails/document.ts";
import type { Project } from "../project.ts";
import { settingsOf } from "../settings/settings.ts";
import { asSeenNow } from "./seen-now.ts";

export interface SummaryInput extends HandoffOptions {
  readonly trail?: string | undefined;
  /** The newest without one. */
  readonly id?: string | undefined;
  /** Whether it goes before a subagent's task. */
  readonly subagent?: boolean | undefined;
}

export interface SummaryResult extends Handoff {
  readonly checkpoint_id: string;
  readonly trail: string;
  readonly budget: { readonly max_tokens: number | null; readonly max_chars: number | null; family: string };
  readonly resume_command: string;
}

/** The briefing for whoever goes on, within a token budget: the same text as long as the state is the same. */
export async function summary(
  project: Project,
  { trail: named, id, subagent = false, ...options }: SummaryInput,
): Promise<SummaryResult> {
  const { cairn, trail } = await readTrail(project, named, id);
  const settings = await settingsOf(project);
  const { state: recorded, ...checkpoint } = await trail.load(id);
  const stored = await workIn(project, cairn.store, checkpoint, recorded);
  const believed = readWorkState(await markIfImported(cairn.store, checkpoint.content_hash, stored));
  // What was in progress at an earlier checkpoint was so then.
  const state = id === undefined ? await asSeenNow(project, { ...checkpoint, state: believed }) : believed;
  const hasSize = options.maxTokens !== undefined || options.maxChars !== undefined;
  const choices: HandoffOptions = {
    ...options,
    ...(subagent && { audience: "subagent" }),
    // A budget in numbers leaves no room for one by name, unless that was asked for too.
    level: options.level ?? (hasSize ? undefined : settings.level),
    family: options.family ?? settings.family,
  };
  const { maxTokens = null, maxChars = null, family } = budgetOf(choices);
  const { key } = await cairn.store.identity();
  const isOfOneSession = id === undefined && trail.name !== PROJECT_TRAIL;
  const rules = isOfOneSession ? await projectRules(cairn) : undefined;
  const resumeCommand = commandToResume({ ...checkpoint, state: believed }, project.root);
  const briefing = handoff({ checkpoint, state, key, resumeCommand, project: rules?.entries }, choices);
  if (choices.for !== undefined && !hasRelevant(briefing))
    project.notices.message(
      `No decision, task, file or other record matches "${oneLine(choices.for)}": the summary is the same as for any task.`,
    );
  return {
    ...briefing,
    checkpoint_id: checkpoint.checkpoint_id,
    trail: checkpoint.trail,
    budget: { max_tokens: maxTokens, max_chars: maxChars, family },
    resume_command: resumeCommand,
  };
}

/** The state as work: itself, or what a capability makes of a trail that another system writes. */
async function workIn(
  { capabilities }: Project,
  store: Store,
  { trail, content_hash: id }: CheckpointInfo,
  state: WorkState,
): Promise<WorkState> {
  const own = capabilities.find(({ foreignStates: each }) => each && trail.startsWith(each.prefix));
  const tell = await own?.foreignStates?.load();
  if (tell === undefined) return state;
  const records = (await store.attachments([id])).get(id) ?? new Map<string, Uint8Array>();
  return tell(state, records) as unknown as WorkState;
}

const hasRelevant = ({ kept, dropped }: Handoff): boolean =>
  [...kept, ...dropped].some(({ section }) => section === "relevant");
