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
  /** Whether it only adds to other sections: then it is not missed. */
  readonly isDetail?: boolean;
  /** Who records them. */
  readonly origin?: Recorder;
}

export interface BriefingSection<Name extends string = SectionName> extends SectionRules {
  readonly name: Name;
  readonly title: string;
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
  section("now", "Now: asked last", [15, 1200]),
  section("goal", "Goal", [11, 180]),
  section("success_criteria", "Done when", [5, 0]),
  section("project", "For the whole project", [6, 200], { decay: 1 }),
  section("constraints", "Rules", [1, 0]),
  section("approvals_pending", "Waiting for approval", [1, 0]),
  section("relevant", "Relevant to this task", [40, 1500]),
  section("situation", "Situation", [10, 540], { decay: 1 }),
  section("blockers", "Blockers", [8, 500]),
  section("since", "Agent since then", [20, 800], { decay: 0.95, origin: "agent" }),
  section("checks_failing", "Failing checks", [6, 150], { origin: "tool" }),
  section("results", "Failed, passed since", [9, 480], { decay: 0.9, origin: "tool" }),
  section("decisions", "Decisions", [10, 150]),
  section("gotchas", "Learned", [5, 0], { tier: 2 }),
  section("edits", "Files (commit)", [22, 1100], { decay: 0.93, origin: "tool" }),
  section("files_touched", "Files touched", [5, 0], { tier: 2, origin: "tool" }),
  section("tasks", "Open tasks", [6, 220], { tier: 2 }),
  section("instructions", "Asked before", [40, 700], { decay: 0.9 }),
  section("findings", "Found, decided before", [29, 2200], { decay: 0.985, origin: "agent" }),
  section("commands", "Commands run", [4, 0], { tier: 2, origin: "tool" }),
  section("dependencies", "Dependencies", [4, 0], { tier: 2, decay: 1, origin: "tool" }),
  section("subagents", "Subagents", [3, 0], { tier: 2, origin: "tool" }),
  section("run", "Workflow run", [6, 0], { tier: 2, decay: 1, origin: "tool" }),
  section("variables", "Variables", [5, 0], { tier: 3 }),
  section("recent_outputs", "Recent outputs", [2, 0], { tier: 3, origin: "tool" }),
  section("done", "Done", [2, 0], { tier: 3 }),
  section("notes", "Notes", [4, 0], { tier: 2 }),
  section("other", "Other fields", [3, 0], { tier: 3 }),
  section("names", "Names in play", [12, 240], { tier: 2, most: 600, origin: "tool", isDetail: true }),
  section("checkpoint", "Checkpoint", [1, 0], { tier: 3, isDetail: true }),
  section("next_action", "Next action", [4, 1200]),
] as const;

function section<Name extends string>(
  name: Name,
  title: string,
  [share, floor]: readonly [share: number, floor: number],
  rules: SectionRules = {},
): BriefingSection<Name> {
  return { name, title, share, floor, ...rules };
}

export type SectionName = (typeof IN_ORDER)[number]["name"];

export const SECTIONS: readonly BriefingSection[] = IN_ORDER;

const BY_NAME = new Map(SECTIONS.map((each) => [each.name, each]));

export const sectionOf = (name: SectionName): BriefingSection => BY_NAME.get(name)!;
