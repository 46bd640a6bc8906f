import type { WorkState } from "../../state/work-state.ts";
import { clip, oneLine } from "../../../core/text/visible.ts";
import { item, listed } from "./forms.ts";
import type { Item } from "./item.ts";

/**
 * The files that were touched, by folder: `src/auth/: login.ts, session.ts`. Summaries lose them first; naming each
 * folder once makes room for four times as many.
 */
export function files({ activity, files_touched, imported_texts: imported = [] }: WorkState): Item[] {
  const edited = new Set(activity?.edits.map(({ path }) => path));
  const paths = [...new Set(files_touched)].filter((path) => !edited.has(path));
  // Imported paths never share a line with captured ones.
  const folders = Map.groupBy(paths, (path) => `${imported.includes(path)}\n${folderOf(path)}`);
  return [...folders.values()].map((members) => {
    const folder = folderOf(members[0]!);
    // The last in the list are the newest, and say most about the current work.
    const names = members.map((path) => path.slice(folder.length)).toReversed();
    return item({
      id: `files_touched[${paths.indexOf(members[0]!)}]`,
      section: "files_touched",
      value: 7 * Math.sqrt(members.length) + 2 * members.length,
      units: members.length,
      fit: listed(folder === "" ? "" : `${clip(oneLine(folder), 160)}: `, names),
      words: members.join(" "),
      origin: imported.includes(members[0]!) ? "imported" : undefined,
    });
  });
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
