import { misfit, nodeAt, readJson, valueOf } from "./json-document.ts";
import { addAt, removeAt } from "./json-edits.ts";
import { addHooks, expectObjects, type HookGroups, removeHooks } from "./merge-hooks.ts";
import { meaningOfJson, planJson } from "./plan-json.ts";
import { type Direction, type PlannedChange, planRemoval } from "./planned-change.ts";

/** A file of hooks with a version, as Cursor and Copilot CLI have it. */
export interface HooksFile {
  readonly version: number;
  readonly hooks: HookGroups;
}

/** Plans our hooks in such a file. A file of another version is refused. */
export function planHooksFile(path: string, wanted: HooksFile, direction: Direction): PlannedChange {
  if (direction === "add") return planJson(path, "add our hooks", (text) => add(text, wanted));
  return planRemoval(planJson(path, "take our hooks out", removeHooks), (text) => meaningOf(text, wanted));
}

function add(text: string, { version, hooks }: HooksFile): string {
  expectObjects(text, ["hooks"]);
  const found = nodeAt(readJson(text), ["version"]);
  if (found !== undefined && valueOf(found) !== version)
    throw misfit(`"version" should be ${version}: no other is known.`, found.offset);
  return addHooks(found === undefined ? addAt(text, ["version"], version) : text, hooks);
}

/** The version alone says nothing. */
function meaningOf(text: string, { version }: HooksFile): string {
  if (text.trim() === "") return meaningOfJson(text);
  const found = nodeAt(readJson(text), ["version"]);
  return meaningOfJson(
    found !== undefined && valueOf(found) === version ? removeAt(text, ["version"]) : text,
  );
}
