import { asList, own, textOf } from "../../../core/text/untrusted.ts";
import { clip, oneLine } from "../../../core/text/visible.ts";
import { item, listed, sentenceOf } from "./forms.ts";
import type { Item } from "./item.ts";
import { type Recorder, recorderOf } from "./provenance.ts";

/**
 * The files that were touched, by folder: `src/auth/: login.ts, session.ts`. Summaries lose them first; naming each
 * folder once makes room for four times as many.
 */
export function files(state: unknown): Item[] {
  const origins = new Map<string, Recorder | undefined>();
  const edited = new Set(asList(own(own(state, "activity"), "edits")).map((edit) => textOf(edit, "path")));
  for (const entry of asList(own(state, "files_touched"))) {
    const path = sentenceOf(entry, "path", "file");
    if (path !== undefined && !origins.has(path) && !edited.has(path)) origins.set(path, recorderOf(entry));
  }
  const positions = new Map([...origins.keys()].map((path, index) => [path, index]));
  // Imported paths never share a line with captured ones.
  const folders = Map.groupBy(origins.keys(), (path) => `${origins.get(path) ?? ""}\n${folderOf(path)}`);
  return [...folders.values()].map((members) => {
    const folder = folderOf(members[0]!);
    // The last in the list are the newest, and say most about the current work.
    const names = members.map((path) => path.slice(folder.length)).toReversed();
    return item({
      id: `files_touched[${positions.get(members[0]!)}]`,
      section: "files_touched",
      value: 7 * Math.sqrt(members.length) + 2 * members.length,
      units: members.length,
      fit: listed(folder === "" ? "" : `${clip(oneLine(folder), 160)}: `, names),
      words: members.join(" "),
      origin: origins.get(members[0]!),
    });
  });
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
