import { own, textOf } from "../../../core/text/untrusted.ts";
import { item, layered, numberOf } from "./forms.ts";
import type { Fit, Item } from "./item.ts";

/** The names that matter most and that the text does not hold yet, under the files where they were met; never the project's own folder. */
export function names(recorded: readonly unknown[], folder: string): Item[] {
  const all = recorded
    .flatMap((each) => {
      const name = textOf(each, "name");
      if (name === undefined || name === folder) return [];
      // Short ones first among equals: more of them fit.
      const worth = numberOf(own(each, "weight")) / Math.sqrt(name.length + 1);
      return [{ name, file: textOf(each, "file") ?? "", worth }];
    })
    .toSorted((a, b) => b.worth - a.worth);
  if (all.length === 0) return [];
  const fit: Fit = (chars, before) => {
    const byFile = new Map<string, string[]>();
    let length = 0;
    for (const { name, file } of all.filter((each) => !before.includes(each.name))) {
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
