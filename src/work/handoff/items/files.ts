import type { Item } from "./item.ts";
import { recorderOf, type Recorder } from "./provenance.ts";
import { asList, own, textOf } from "../../../core/text/untrusted.ts";
import { clip, oneLine } from "../../../core/text/visible.ts";
import { item, listed, sentenceOf } from "./forms.ts";

/** Files per item, so that a large folder need not be shown or dropped as a whole. */
const GROUP = 8;
const FILE_VALUE = 7;

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
  const paths = [...origins.keys()];
  const positions = new Map(paths.map((path, index) => [path, index]));
  // Imported paths never share a line with captured ones.
  const folders = Map.groupBy(paths, (path) => `${origins.get(path) ?? ""}\n${folderOf(path)}`);
  return [...folders.values()].flatMap((members) =>
    groupsOf(members).map((group) =>
      folderItem(group, { position: positions.get(group[0]!)!, origin: origins.get(group[0]!) }),
    ),
  );
}

function folderItem(
  members: readonly string[],
  { position, origin }: { position: number; origin: Recorder | undefined },
): Item {
  const folder = folderOf(members[0]!);
  // The last in the list are the newest, and say most about the current work.
  const names = members.map((path) => path.slice(folder.length)).toReversed();
  return item({
    id: `files_touched[${position}]`,
    section: "files_touched",
    tier: 2,
    value: FILE_VALUE * Math.sqrt(members.length) + 2 * members.length,
    units: members.length,
    fit: listed(folder === "" ? "" : `${clip(oneLine(folder), 160)}: `, names),
    words: members.join(" "),
    origin,
  });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function groupsOf(members: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(members.length / GROUP) }, (_, index) =>
    members.slice(index * GROUP, (index + 1) * GROUP),
  );
}
