import type { ItemTier } from "./item.ts";
import type { Recorder } from "./provenance.ts";

/** What the items of a section have in common, unless an item says otherwise. */
interface SectionRules {
  /** How much a briefing needs them. Default: 1. */
  readonly tier?: ItemTier;
  /** The longest that the section gets, in characters. */
  readonly most?: number;
  /** What an item counts relative to the next newer one. */
  readonly decay?: number;
  /** Who records them. */
  readonly origin?: Recorder;
}

export interface BriefingSection<Name extends string = SectionName> extends SectionRules {
  readonly name: Name;
  readonly title: string;
  /** What one and several of its things are called in the note on what was left out. */
  readonly unit: readonly [one: string, several: string];
  /** Its part of the room that the essentials and the floors leave; what it does not need goes to the others. */
  readonly share: number;
  /** Dealt out first, in characters; if there is too little for all floors, in proportion to them. */
  readonly floor: number;
}

/**
 * The sections in the order of the text, with share and floor. Readers remember the ends of a text best, so what must
 * not be missed opens it, and the next action closes it.
 */
const IN_ORDER = [
  section("now", "Now: what was asked last", "request", [15, 1200]),
  section("goal", "Goal", "goal", [5, 220]),
  section("success_criteria", "Done when", "criterion|criteria", [5, 0]),
  section(
    "project",
    "For the whole project",
    "word for the whole project|words for the whole project",
    [6, 200],
    {
      decay: 1,
    },
  ),
  section("constraints", "Constraints", "constraint", [1, 0]),
  section("approvals_pending", "Waiting for approval", "approval", [1, 0]),
  section("relevant", "Relevant to this task", "relevant item", [40, 1500]),
  section("situation", "Situation", "fact", [6, 350], { decay: 1 }),
  section("blockers", "Blockers", "blocker", [8, 500]),
  section("since", "The agent since then", "message", [20, 550], { decay: 0.95, origin: "agent" }),
  section("checks_failing", "Failing checks", "check", [6, 150], { origin: "tool" }),
  section("results", "What failed, and what passed since", "result", [9, 280], {
    decay: 0.9,
    origin: "tool",
  }),
  section("decisions", "Decisions", "decision", [10, 150]),
  section("gotchas", "Learned", "lesson", [5, 0], { tier: 2 }),
  section("edits", "Files changed", "changed file", [18, 450], { decay: 0.93, origin: "tool" }),
  section("files_touched", "Files touched", "file", [5, 0], { tier: 2, origin: "tool" }),
  section("tasks", "Open tasks", "task", [6, 220], { tier: 2 }),
  section("references", "Branch, commits, numbers", "reference", [4, 200], { decay: 1, origin: "tool" }),
  section("reads", "Files read, not changed", "file read|files read", [4, 280], { tier: 2, origin: "tool" }),
  section("instructions", "Asked before", "earlier request", [31, 440], { decay: 0.8 }),
  section("findings", "What the agent found and decided before", "message", [29, 1400], {
    decay: 0.96,
    origin: "agent",
  }),
  section("commands", "Commands run", "command", [4, 0], { tier: 2, origin: "tool" }),
  section("dependencies", "Dependencies", "dependency|dependencies", [4, 0], {
    tier: 2,
    decay: 1,
    origin: "tool",
  }),
  section("subagents", "Subagents", "subagent", [3, 0], { tier: 2, origin: "tool" }),
  section("run", "Workflow run", "part", [6, 0], { tier: 2, decay: 1, origin: "tool" }),
  section("variables", "Variables", "variable", [5, 0], { tier: 3 }),
  section("recent_outputs", "Recent outputs", "output", [2, 0], { tier: 3, origin: "tool" }),
  section("done", "Done", "done task", [2, 0], { tier: 3 }),
  section("notes", "Notes", "note", [4, 0], { tier: 2 }),
  section("other", "Other fields", "field", [3, 0], { tier: 3 }),
  section("details", "Last edits in detail", "edit", [9, 0], { decay: 0.8, origin: "tool" }),
  section("names", "Names in play", "list of names|lists of names", [12, 420], {
    tier: 2,
    most: 700,
    origin: "tool",
  }),
  section("checkpoint", "Checkpoint", "fact about it|facts about it", [1, 0], { tier: 3 }),
  section("next_action", "Next action", "next action", [4, 460]),
] as const;

function section<Name extends string>(
  name: Name,
  title: string,
  unit: string,
  [share, floor]: readonly [share: number, floor: number],
  rules: SectionRules = {},
): BriefingSection<Name> {
  const [one = unit, several = `${one}s`] = unit.split("|");
  return { name, title, unit: [one, several], share, floor, ...rules };
}

export type SectionName = (typeof IN_ORDER)[number]["name"];

export const SECTIONS: readonly BriefingSection[] = IN_ORDER;

const BY_NAME = new Map(SECTIONS.map((each) => [each.name, each]));

export const sectionOf = (name: SectionName): BriefingSection => BY_NAME.get(name)!;
