import type { Recorder } from "./provenance.ts";

/**
 * The sections in the order of the text. Readers remember the ends of a text best, so what must not be missed opens
 * it, and the next action closes it.
 */
const IN_ORDER = [
  { name: "goal", title: "Goal", unit: ["goal", "goals"] },
  { name: "success_criteria", title: "Done when", unit: ["criterion", "criteria"] },
  { name: "constraints", title: "Constraints", unit: ["constraint", "constraints"] },
  { name: "instructions", title: "Asked for since", unit: ["instruction", "instructions"] },
  { name: "approvals_pending", title: "Waiting for approval", unit: ["approval", "approvals"] },
  { name: "relevant", title: "Relevant to this task", unit: ["relevant item", "relevant items"] },
  { name: "situation", title: "Situation", unit: ["fact", "facts"] },
  { name: "blockers", title: "Blockers", unit: ["blocker", "blockers"] },
  { name: "checks_failing", title: "Failing checks", unit: ["check", "checks"], origin: "tool" },
  { name: "decisions", title: "Decisions", unit: ["decision", "decisions"] },
  { name: "gotchas", title: "Learned", unit: ["lesson", "lessons"] },
  { name: "tasks", title: "Open tasks", unit: ["task", "tasks"] },
  { name: "files_touched", title: "Files touched", unit: ["file", "files"], origin: "tool" },
  { name: "commands", title: "Commands run", unit: ["command", "commands"], origin: "tool" },
  { name: "dependencies", title: "Dependencies", unit: ["dependency", "dependencies"], origin: "tool" },
  { name: "subagents", title: "Subagents", unit: ["subagent", "subagents"], origin: "tool" },
  { name: "run", title: "Workflow run", unit: ["part", "parts"], origin: "tool" },
  { name: "variables", title: "Variables", unit: ["variable", "variables"] },
  { name: "recent_outputs", title: "Recent outputs", unit: ["output", "outputs"], origin: "tool" },
  { name: "done", title: "Done", unit: ["done task", "done tasks"] },
  { name: "notes", title: "Notes", unit: ["note", "notes"] },
  { name: "checkpoint", title: "Checkpoint", unit: ["fact about it", "facts about it"] },
  { name: "other", title: "Other fields", unit: ["field", "fields"] },
  { name: "next_action", title: "Next action", unit: ["next action", "next actions"] },
] as const;

export type SectionName = (typeof IN_ORDER)[number]["name"];

export interface BriefingSection {
  readonly name: SectionName;
  readonly title: string;
  /** What one and several of its things are called in the note on what was left out. */
  readonly unit: readonly [one: string, several: string];
  /** Who records these, unless the item itself says. */
  readonly origin?: Recorder;
}

export const SECTIONS: readonly BriefingSection[] = IN_ORDER;
