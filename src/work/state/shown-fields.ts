import { read } from "../shape/read.ts";
import { FIELD_NAMES, type FieldName, fieldOf } from "./fields.ts";

/** What a person wants to know first. */
const FIRST: readonly FieldName[] = [
  "goal",
  "success_criteria",
  "next_action",
  "phase",
  "tasks",
  "constraints",
  "approvals_pending",
  "blockers",
  "checks_failing",
  "decisions",
  "gotchas",
  "dependencies",
  "variables",
  "recent_outputs",
  "files_touched",
  "workspace",
  "run",
];

/** The fields that have a title on a screen, in their order there: a new one stands behind those that come first. */
export const SHOWN_FIELDS: readonly FieldName[] = [...new Set([...FIRST, ...FIELD_NAMES])].filter(
  (name) => fieldOf(name)?.label !== undefined,
);

/** What else is stored: unknown fields are kept, so they are shown; and so is what is not in the form of its field. */
export function otherFields(stored: object): [name: string, value: unknown][] {
  return Object.entries(stored).filter(([name, value]) => {
    const { label, isDetail, shape } = fieldOf(name) ?? {};
    const isShown = label !== undefined || isDetail === true;
    return !isShown || (value !== null && (shape === undefined || read(shape, value) === undefined));
  });
}
