import { activity } from "./activity.ts";
import { jsonList, session } from "./agent-session.ts";
import {
  command,
  decision,
  dependency,
  instruction,
  output,
  phase,
  provenanceShape,
  remark,
  task,
  workspace,
} from "./items.ts";
import type { Json } from "../../core/objects/json.ts";
import { anything, list, type Shape, text } from "../shape/shape.ts";

/** Everything that the program knows about one field of the work state. */
export interface StateField {
  readonly shape: Shape;
  /** What it is before anything is known, in every new state. A field without one may be missing: so should a new one. */
  readonly empty?: () => unknown;
  /** Its title on a screen. What has none is shown as it is, under its own name. */
  readonly label?: string;
  /** It says something about another field, and is not shown by itself. */
  readonly isDetail?: true;
  /** What one of its entries is called in a list of changes. */
  readonly entry?: string;
  /** Compared entry by entry: by which part they are told apart, what is their title, and what changes without meaning anything. */
  readonly items?: { readonly id: string; readonly title: string; readonly ignored?: readonly string[] };
  /**
   * How it is joined where two sides changed it. `observed`: it is what a machine sees, so its own view stays. `by key`: an
   * import adds its keys. Everything else is joined part by part, and an import adds to lists.
   */
  readonly join?: "observed" | "by key";
  /** It holds words, for which a handoff says who recorded them: marked when a file brings them. */
  readonly hasWords?: true;
  /** What the state files of other tools call it. */
  readonly otherNames?: readonly string[];
}

const none = () => [];

/** Values by key. */
const map: Shape<{ [key: string]: Json }> = { type: "object" };
const textOrInteger: Shape<string | number> = { type: ["integer", "string"] };

/**
 * The fields of the work state, in the order in which a new state has them. A field is added here and nowhere else: its
 * type, its schema, and how it is compared, joined, shown and imported follow.
 */
export const FIELDS = {
  goal: { shape: text, label: "Goal", hasWords: true },
  /** Who set the goal, unless a person typed it. */
  goal_by: { shape: provenanceShape, isDetail: true },
  success_criteria: {
    shape: list(text),
    empty: none,
    label: "Done when",
    entry: "done when",
    hasWords: true,
  },
  next_action: { shape: text, label: "Next", hasWords: true },
  /** What was asked for after the goal was set, the newest last. */
  instructions: { shape: list(instruction), label: "Asked", entry: "asked", hasWords: true },
  constraints: { shape: list(remark), empty: none, label: "Rules", entry: "rule", hasWords: true },
  decisions: { shape: list(decision), empty: none, label: "Decided", entry: "decision", hasWords: true },
  blockers: { shape: list(remark), empty: none, label: "Blockers", entry: "blocker", hasWords: true },
  gotchas: { shape: list(remark), empty: none, label: "Learned", entry: "lesson", hasWords: true },
  phase: { shape: phase, label: "Phase", hasWords: true },
  phases_completed: { shape: list(textOrInteger), empty: none, isDetail: true },
  tasks: {
    shape: list(task),
    empty: none,
    label: "Tasks",
    items: { id: "id", title: "subject" },
    hasWords: true,
  },
  active_task_id: { shape: text, isDetail: true, otherNames: ["current_task_id", "current_task"] },
  dependencies: {
    shape: list(dependency),
    empty: none,
    label: "Services",
    // They change at every look without anything having happened.
    items: { id: "name", title: "name", ignored: ["last_checked", "latency_ms"] },
    join: "observed",
    hasWords: true,
  },
  variables: { shape: map, empty: () => ({}), label: "Variables", join: "by key" },
  recent_outputs: { shape: list(output), empty: none, label: "Outputs", entry: "output", hasWords: true },
  files_touched: { shape: list(text), empty: none, label: "Files", join: "observed", hasWords: true },
  commands: { shape: list(command), empty: none, label: "Commands", hasWords: true },
  checks_failing: {
    shape: list(text),
    empty: none,
    label: "Failing",
    entry: "failing",
    join: "observed",
    hasWords: true,
  },
  subagents: { shape: jsonList, empty: none, label: "Sub-agents", hasWords: true },
  workspace: { shape: workspace, label: "Git", join: "observed", hasWords: true },
  approvals_pending: {
    shape: jsonList,
    empty: none,
    label: "Approvals",
    entry: "approval",
    hasWords: true,
  },
  /** A workflow run's own state. */
  run: { shape: anything, label: "Run", hasWords: true },
  session: { shape: session, join: "observed", hasWords: true },
  activity: { shape: activity },
  /** Texts of this state that came from a file and have no field to say so: see `markImported`. */
  imported_texts: { shape: list(text), isDetail: true },
  /** What the files of other tools said besides, by the name of the file. */
  imported: { shape: map, join: "by key" },
} as const satisfies Readonly<Record<string, StateField>>;

export type FieldName = keyof typeof FIELDS;

export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** What the table says of a field; undefined for one that it does not know. */
export function fieldOf(name: string): StateField | undefined {
  return Object.hasOwn(FIELDS, name) ? FIELDS[name as FieldName] : undefined;
}
