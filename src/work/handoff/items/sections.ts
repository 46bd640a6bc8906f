import type { Recorder } from "./provenance.ts";

/** How a section gets its part of the room. */
interface Dealt {
  /** Its part of the room that the essentials leave; what a section does not need goes to the others. */
  readonly share?: number;
  /** Dealt out first, in characters; if there is too little for all floors, in proportion to them. */
  readonly floor?: number;
  /** The longest that it gets, in characters. */
  readonly most?: number;
  /** What an item counts relative to the next newer one. */
  readonly decay?: number;
  /** Who records these, unless the item itself says. */
  readonly origin?: Recorder;
}

export interface BriefingSection<Name extends string = SectionName> extends Dealt {
  readonly name: Name;
  readonly title: string;
  /** What one and several of its things are called in the note on what was left out. */
  readonly unit: readonly [one: string, several: string];
}

/**
 * The sections in the order of the text. Readers remember the ends of a text best, so what must not be missed opens it,
 * and the next action closes it.
 */
const IN_ORDER = [
  section("now", "Now: what was asked last", "request", { share: 15, floor: 1200 }),
  section("goal", "Goal", "goal", { share: 5, floor: 220 }),
  section("success_criteria", "Done when", "criterion|criteria", { share: 5 }),
  section("project", "For the whole project", "word for the whole project|words for the whole project", {
    share: 6,
    floor: 200,
    decay: 1,
  }),
  section("constraints", "Constraints", "constraint"),
  section("approvals_pending", "Waiting for approval", "approval"),
  section("relevant", "Relevant to this task", "relevant item", { share: 40, floor: 1500 }),
  section("situation", "Situation", "fact", { share: 6, floor: 350, decay: 1 }),
  section("blockers", "Blockers", "blocker", { share: 8, floor: 500 }),
  section("since", "The agent since then", "message", {
    share: 18,
    floor: 550,
    decay: 0.95,
    origin: "agent",
  }),
  section("checks_failing", "Failing checks", "check", { share: 6, floor: 150, origin: "tool" }),
  section("results", "What failed, and what passed since", "result", {
    share: 9,
    floor: 280,
    decay: 0.9,
    origin: "tool",
  }),
  section("decisions", "Decisions", "decision", { share: 10, floor: 150 }),
  section("gotchas", "Learned", "lesson", { share: 5 }),
  section("edits", "Files changed", "changed file", { share: 16, floor: 450, decay: 0.93, origin: "tool" }),
  section("files_touched", "Files touched", "file", { share: 5, origin: "tool" }),
  section("tasks", "Open tasks", "task", { share: 6, floor: 220 }),
  section("references", "Branch, commits, numbers", "reference", {
    share: 4,
    floor: 150,
    decay: 1,
    origin: "tool",
  }),
  section("reads", "Files read, not changed", "file read|files read", {
    share: 4,
    floor: 280,
    origin: "tool",
  }),
  section("instructions", "Asked before", "earlier request", { share: 26, floor: 420, decay: 0.8 }),
  section("findings", "What the agent found and decided before", "message", {
    share: 29,
    floor: 1400,
    decay: 0.96,
    origin: "agent",
  }),
  section("commands", "Commands run", "command", { share: 4, origin: "tool" }),
  section("dependencies", "Dependencies", "dependency|dependencies", { share: 4, decay: 1, origin: "tool" }),
  section("subagents", "Subagents", "subagent", { share: 3, origin: "tool" }),
  section("run", "Workflow run", "part", { share: 6, decay: 1, origin: "tool" }),
  section("variables", "Variables", "variable", { share: 5 }),
  section("recent_outputs", "Recent outputs", "output", { share: 2, origin: "tool" }),
  section("done", "Done", "done task", { share: 2 }),
  section("notes", "Notes", "note", { share: 4 }),
  section("other", "Other fields", "field", { share: 3 }),
  section("details", "Last edits in detail", "edit", { share: 7, decay: 0.8, origin: "tool" }),
  section("names", "Names in play", "list of names|lists of names", {
    share: 12,
    floor: 340,
    most: 700,
    decay: 1,
    origin: "tool",
  }),
  section("checkpoint", "Checkpoint", "fact about it|facts about it", { share: 1 }),
  section("next_action", "Next action", "next action", { share: 4, floor: 300 }),
] as const;

function section<Name extends string>(
  name: Name,
  title: string,
  unit: string,
  dealt: Dealt = {},
): BriefingSection<Name> {
  const [one = unit, several = `${one}s`] = unit.split("|");
  return { name, title, unit: [one, several], ...dealt };
}

export type SectionName = (typeof IN_ORDER)[number]["name"];

export const SECTIONS: readonly BriefingSection[] = IN_ORDER;
