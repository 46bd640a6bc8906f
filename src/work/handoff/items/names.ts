import type { NameInPlay } from "../../state/activity.ts";
import { item, listed } from "./forms.ts";
import type { Fit, Item } from "./item.ts";

/** The names that matter most and that the text does not hold yet; never the project's own folder. */
export function names(recorded: readonly NameInPlay[], folder: string): Item[] {
  // Short ones first among equals: more of them fit.
  const worthOf = ({ name, weight }: NameInPlay) => weight / Math.sqrt(name.length + 1);
  const all = recorded
    .toSorted((a, b) => worthOf(b) - worthOf(a))
    .flatMap(({ name }) => (name === folder ? [] : name));
  if (all.length === 0) return [];
  const fit: Fit = (chars, before = []) => {
    const text = before.join("\n");
    const fresh = all.filter((name) => !text.includes(name));
    return listed("", fresh)(chars);
  };
  const words = all.join(" ");
  return [item({ id: "activity.names", section: "names", value: 5, words, units: 0, fit })];
}
