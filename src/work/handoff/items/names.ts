import type { NameInPlay } from "../../state/activity.ts";
import { item, layered } from "./forms.ts";
import type { Fit, Item } from "./item.ts";

/** The names that matter most and that the text does not hold yet, under the files where they were met; never the project's own folder. */
export function names(recorded: readonly NameInPlay[], folder: string): Item[] {
  // Short ones first among equals: more of them fit.
  const worthOf = ({ name, weight }: NameInPlay) => weight / Math.sqrt(name.length + 1);
  const all = recorded.filter(({ name }) => name !== folder).toSorted((a, b) => worthOf(b) - worthOf(a));
  if (all.length === 0) return [];
  const fit: Fit = (chars, before) => {
    const byFile = new Map<string, string[]>();
    let length = 0;
    for (const { name, file = "" } of all.filter((each) => !before.includes(each.name))) {
      length += name.length + 2 + (byFile.has(file) ? 0 : file.length + 6);
      if (length > chars) break;
      byFile.set(file, [...(byFile.get(file) ?? []), name]);
    }
    const lines = [...byFile].map(([file, found]) => `${file === "" ? "" : `${file}: `}${found.join(", ")}`);
    const [head, ...rest] = lines;
    return head === undefined ? undefined : layered(head, rest)(chars, before);
  };
  const words = all.map(({ name }) => name).join(" ");
  return [item({ id: "activity.names", section: "names", value: 5, words, fit, isRest: true })];
}
