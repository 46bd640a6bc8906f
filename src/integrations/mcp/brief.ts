import { handoff, type HandoffInput } from "../../handoff/handoff.ts";
import { budgetOf, type HandoffOptions } from "../../handoff/options.ts";
import type { Handoff } from "../../handoff/report.ts";
import { commandToResume } from "../../sessions/clients/command-to-resume.ts";
import { markInterrupted, readerOf } from "../../sessions/clients/interrupted.ts";
import type { Desk, Reading } from "./desk.ts";

export interface Briefing extends Handoff {
  readonly checkpoint_id: string;
  readonly trail: string;
  readonly budget: { max_tokens: number | null; max_chars: number | null; family: string };
  readonly resume_command: string;
}

/** The handoff of a trail: the same text as long as its state is the same, and its agent is alive. */
export async function brief(
  { world, whereabouts: { session } }: Desk,
  { cairn, trail, project }: Reading,
  { id, ...options }: HandoffOptions & { readonly id?: string | undefined } = {},
): Promise<Briefing> {
  const loaded = await trail.load(id);
  const { state: stored, ...checkpoint } = loaded;
  const settings = await world.settings(project.root);
  const reader = readerOf(trail.name, { env: world.env, session });
  // What was in progress at an earlier checkpoint was so then.
  const asking = { reader, folder: project.folder, now: world.now() };
  const state = id === undefined ? await markInterrupted(loaded, asking) : stored;
  const { key } = await cairn.store.identity();
  const resumeCommand = commandToResume(loaded, project.root);
  const hasSize = options.maxTokens !== undefined || options.maxChars !== undefined;
  const choices: HandoffOptions = {
    ...options,
    level: options.level ?? (hasSize ? undefined : settings.level),
    family: options.family ?? settings.family,
  };
  const input: HandoffInput = { checkpoint, state, key, resumeCommand };
  const { maxTokens = null, maxChars = null, family } = budgetOf(choices);
  return {
    ...handoff(input, choices),
    checkpoint_id: checkpoint.checkpoint_id,
    trail: checkpoint.trail,
    budget: { max_tokens: maxTokens, max_chars: maxChars, family },
    resume_command: resumeCommand,
  };
}
