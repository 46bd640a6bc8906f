import { fieldOf } from "../../state/fields.ts";
import { formatPath } from "../../../core/objects/json.ts";
import { asRecord, asText, describe, own, textOf } from "../../../core/text/untrusted.ts";
import { isThere, item, present, verbatim } from "./forms.ts";
import type { Item } from "./item.ts";
import { SECTIONS } from "./sections.ts";

/** Fields that several sections tell of. All others have one of their own name, or stand among the other fields. */
const IN_SECTIONS: readonly string[] = ["phase", "workspace", "session", "activity"];

function isTold(name: string): boolean {
  const field = fieldOf(name);
  if (field === undefined) return false;
  return field.isDetail === true || IN_SECTIONS.includes(name) || SECTIONS.some((each) => each.name === name);
}

/** Variables, unknown fields, and what the checkpoint says of itself. */
export function recordedValues(state: unknown, checkpoint: unknown): Item[] {
  const variables = Object.entries(asRecord(own(state, "variables")) ?? {});
  const unknown = Object.entries(asRecord(state) ?? {}).filter(
    ([name, value]) => !isTold(name) && isThere(value),
  );
  const valueItem = (path: readonly string[], found: unknown, value: number) => {
    const name = path.at(-1)!;
    const words = `${name}: ${asText(found) ?? describe(found)}`;
    const section = path.length > 1 ? "variables" : "other";
    return item({ id: formatPath(path), section, value, words });
  };
  return [
    ...variables.map(([name, value]) => valueItem(["variables", name], value, isThere(value) ? 3 : 0.5)),
    ...unknown.map(([name, value]) => valueItem([name], value, 2.5)),
    ...notes(checkpoint),
  ];
}

/** Values that the caller requires, wherever they are; one that is nowhere is reported as missing. */
export function required(keys: readonly string[], state: unknown, checkpoint: unknown): Item[] {
  return keys.map((key) => {
    const [value] = present([own(own(state, "variables"), key), own(state, key), own(checkpoint, key)]);
    const words = `${key}: ${value === undefined ? "not recorded" : (asText(value) ?? describe(value, Infinity))}`;
    // A missing one does not count among the variables.
    const units = value === undefined ? 0 : 1;
    const fit = verbatim(words, units);
    const id = formatPath(["variables", key]);
    return item({ id, section: "variables", tier: 0, value: 70, words, units, fit });
  });
}

/** What a checkpoint says of itself, and the labels for it. */
const ABOUT = { trail: "trail", trigger: "trigger", session_id: "session", parent_checkpoint_id: "after" };

function notes(checkpoint: unknown): Item[] {
  const note = textOf(checkpoint, "notes");
  const facts = Object.entries(ABOUT).flatMap(([name, label]) => {
    const text = textOf(checkpoint, name);
    return text === undefined ? [] : [`${label} ${text}`];
  });
  const words = facts.join(", ");
  return present([
    note === undefined ? undefined : item({ id: "notes", section: "notes", value: 20, words: note }),
    words === ""
      ? undefined
      : item({ id: "checkpoint", section: "checkpoint", value: 5, words, fit: verbatim(words) }),
  ]);
}
