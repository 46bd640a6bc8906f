import { handoff } from "../../handoff/handoff.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import type { Step } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import type { RunJournal } from "./run-journal.ts";

/** What the agent of a step should know before it starts: the handoff for its role. */
export async function briefing({ cairn }: WorkflowContext, journal: RunJournal, step: Step): Promise<string> {
  const { key } = await cairn.store.identity();
  const { definition: _, ...run } = journal.run;
  // Without the definition, which says the same as the names of the steps at twenty times the length.
  const state = { ...journal.document, run } as unknown as WorkState;
  const resumeCommand = `checkpoint resume ${run.id}`;
  const role = [step.agent, step.phase, step.about ?? step.id].filter(Boolean).join(" ");
  return handoff(
    { checkpoint: journal.head, state, key, resumeCommand },
    { for: role, level: "standard", shrink: true },
  ).text;
}
