import { formatPath } from "../../../core/objects/json.ts";
import { KNOWN_WORK_FIELDS } from "../../state/work-state.ts";
import type { Fit, Item } from "./item.ts";
import { asRecord, asText, describe, own, textOf } from "../../../core/text/untrusted.ts";
import { clip, oneLine } from "../../../core/text/visible.ts";
import { bullet, clipped, isThere, item, verbatim, worthOf } from "./forms.ts";

/** Fields that only a briefing has words for. */
const OF_BRIEFINGS = ["instructions", "session", "activity"];

/** Variables, unknown fields, and what the checkpoint says of itself. */
export function recordedValues(state: unknown, checkpoint: unknown): Item[] {
  const unknown = Object.entries(asRecord(state) ?? {}).filter(
    ([name, value]) => !KNOWN_WORK_FIELDS.has(name) && !OF_BRIEFINGS.includes(name) && isThere(value),
  );
  return [
    ...Object.entries(asRecord(own(state, "variables")) ?? {}).map(([name, value]) =>
      valueItem(name, value, {
        path: ["variables", name],
        section: "variables",
        worth: isThere(value) ? 3 : 0.5,
      }),
    ),
    ...unknown.map(([name, value]) => valueItem(name, value, { path: [name], section: "other", worth: 2.5 })),
    ...notes(checkpoint),
  ];
}

/** Values that the caller requires, wherever they are; one that is nowhere is reported as missing. */
export function required(keys: readonly string[], state: unknown, checkpoint: unknown): Item[] {
  return keys.map((key) => {
    const value = [own(own(state, "variables"), key), own(state, key), own(checkpoint, key)].find(
      (each) => each !== undefined,
    );
    const words = `${key}: ${value === undefined ? "not recorded" : (asText(value) ?? describe(value, Infinity))}`;
    const id = formatPath(["variables", key]);
    // A missing one does not count among the variables.
    const units = value === undefined ? 0 : 1;
    const whole = verbatim(words);
    const fit: Fit = (chars, before) => {
      const fitted = whole(chars, before);
      return fitted && { ...fitted, shows: units };
    };
    return item({ id, section: "variables", tier: 0, value: 70, words, units, fit });
  });
}

function valueItem(
  name: string,
  value: unknown,
  { path, section, worth }: { path: readonly string[]; section: "variables" | "other"; worth: number },
): Item {
  const words = `${name}: ${asText(value) ?? describe(value)}`;
  return item({
    id: formatPath(path),
    section,
    tier: 3,
    value: worth,
    words,
    fit: valueFit(name, value, words),
  });
}

/** If there is no room for a value, its kind says what the store has. */
function valueFit(name: string, value: unknown, words: string): Fit {
  const cut = clipped(words);
  const pointer = bullet(`${clip(oneLine(name), 80)}: (${kindOf(value)})`);
  return (chars, before) =>
    cut(chars, before) ?? (pointer.length <= chars ? { text: pointer, isWhole: false, shows: 1 } : undefined);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `list of ${value.length}`;
  const record = asRecord(value);
  if (record !== undefined) return `object with ${Object.keys(record).length} keys`;
  return typeof value === "string" ? `text of ${value.length} chars` : typeof value;
}

/** What a checkpoint says of itself, and the labels for it. */
const ABOUT = [
  ["trail", "trail"],
  ["trigger", "trigger"],
  ["session_id", "session"],
  ["parent_checkpoint_id", "after"],
] as const;

function notes(checkpoint: unknown): Item[] {
  const note = textOf(checkpoint, "notes");
  const facts = ABOUT.flatMap(([name, label]) => {
    const text = textOf(checkpoint, name);
    return text === undefined ? [] : [`${label} ${text}`];
  });
  return [
    ...(note === undefined
      ? []
      : [item({ id: "notes", section: "notes", tier: 2, value: worthOf(20, note), words: note })]),
    ...(facts.length === 0
      ? []
      : [
          item({
            id: "checkpoint",
            section: "checkpoint",
            tier: 3,
            value: 5,
            words: facts.join(", "),
            fit: verbatim(facts.join(", ")),
          }),
        ]),
  ];
}
