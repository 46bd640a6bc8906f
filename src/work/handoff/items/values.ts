import { fieldOf } from "../../state/fields.ts";
import type { WorkState } from "../../state/work-state.ts";
import { formatPath } from "../../../core/objects/json.ts";
import { asText, describe, own } from "../../../core/text/untrusted.ts";
import type { HandoffInput } from "../handoff.ts";
import { item, present, verbatim } from "./forms.ts";
import type { Item } from "./item.ts";
import { SECTIONS } from "./sections.ts";

/** Fields that several sections tell of. All others have one of their own name, or stand among the other fields. */
const IN_SECTIONS: readonly string[] = ["phase", "workspace", "session", "activity"];

function isTold(name: string): boolean {
  const field = fieldOf(name);
  if (field === undefined) return false;
  return field.isDetail === true || IN_SECTIONS.includes(name) || SECTIONS.some((each) => each.name === name);
}

/** Whether a value says anything: not null, and not empty. */
function isThere(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Variables, unknown fields, and what the checkpoint says of itself. */
export function recordedValues(state: WorkState, checkpoint: HandoffInput["checkpoint"]): Item[] {
  const unknown = Object.entries(state).filter(([name, value]) => !isTold(name) && isThere(value));
  const valueItem = (path: readonly string[], found: unknown, value: number) => {
    const words = `${path.at(-1)!}: ${asText(found) ?? describe(found)}`;
    const section = path.length > 1 ? "variables" : "other";
    return item({ id: formatPath(path), section, value, words });
  };
  return [
    ...Object.entries(state.variables).map(([name, value]) =>
      valueItem(["variables", name], value, isThere(value) ? 3 : 0.5),
    ),
    ...unknown.map(([name, value]) => valueItem([name], value, 2.5)),
    ...notes(checkpoint),
  ];
}

/** Values that the caller requires, wherever they are; one that is nowhere is reported as missing. */
export function required(keys: readonly string[], state: WorkState, checkpoint: unknown): Item[] {
  return keys.map((key) => {
    const [value] = present([own(state.variables, key), own(state, key), own(checkpoint, key)]);
    const words = `${key}: ${value === undefined ? "not recorded" : (asText(value) ?? describe(value, Infinity))}`;
    // A missing one does not count among the variables.
    const units = value === undefined ? 0 : 1;
    const fit = verbatim(words, units);
    const id = formatPath(["variables", key]);
    return item({ id, section: "variables", tier: 0, value: 70, words, units, fit });
  });
}

/** What a checkpoint says of itself. */
function notes(checkpoint: HandoffInput["checkpoint"]): Item[] {
  const { notes: note, trail, trigger, session_id: session, parent_checkpoint_id: after } = checkpoint;
  const facts = Object.entries({ trail, trigger, session, after }).filter(([, value]) => Boolean(value));
  const words = facts.map(([label, value]) => `${label} ${value}`).join(", ");
  return present([
    note ? item({ id: "notes", section: "notes", value: 20, words: note }) : undefined,
    words === ""
      ? undefined
      : item({ id: "checkpoint", section: "checkpoint", value: 5, words, fit: verbatim(words) }),
  ]);
}
