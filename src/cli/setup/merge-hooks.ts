import { isDeepStrictEqual } from "node:util";
import { addAt, appendAt, removeAt, removeItem, replaceItem } from "./json-edits.ts";
import { type JsonNode, nodeAt, NotJson, readJsonTree, valueOf } from "./json-tree.ts";

/** Hooks by event, as Codex and Gemini CLI have them in their settings. */
export type HookGroups = Readonly<Record<string, readonly object[]>>;

/** The commands that we write, and nothing that somebody built around them. */
const OURS = /^(?:checkpoint hook(?: --client \w+)?$|command -v checkpoint >)/;

/**
 * Adds our group to each event; one of an earlier version is replaced. Other people's hooks stay as they are, and an
 * event whose group somebody shares with us is left alone.
 */
export function addHooks(text: string, hooks: HookGroups): string {
  let edited = text;
  for (const [event, [group]] of Object.entries(hooks)) {
    const path = ["hooks", event];
    const groups = listAt(readJsonTree(edited), path);
    const index = groups.findIndex((each) => isOurs(valueOf(each)));
    if (index < 0 && groups.some((each) => handlersOf(valueOf(each)).some(isOurHandler))) continue;
    if (index < 0)
      edited =
        nodeAt(readJsonTree(edited), path) === undefined
          ? addAt(edited, path, [group])
          : appendAt(edited, path, group);
    else if (!isDeepStrictEqual(valueOf(groups[index] as JsonNode), group))
      edited = replaceItem(edited, path, index, group);
  }
  return edited;
}

/** Takes our groups out, and what is empty then; of a group that somebody shares with us only our part. */
export function removeHooks(text: string): string {
  let edited = text;
  const root = nodeAt(readJsonTree(text), ["hooks"]);
  if (root?.kind !== "object") return text;
  for (const { key } of root.members) {
    const path = ["hooks", key];
    const before = edited;
    const groups = listAt(readJsonTree(edited), path).map(valueOf);
    for (const [index, group] of [...groups.entries()].toReversed()) {
      if (isOurs(group)) edited = removeItem(edited, path, index);
      else edited = removeOurPart(edited, path, index);
    }
    if (edited !== before) edited = removeIfEmpty(edited, path);
  }
  return edited === text ? text : removeIfEmpty(edited, ["hooks"]);
}

function removeOurPart(text: string, path: readonly string[], index: number): string {
  const group = listAt(readJsonTree(text), path)[index];
  const handlers = handlersOf(group && valueOf(group));
  const indexes = handlers.flatMap((handler, at) => (isOurHandler(handler) ? [at] : []));
  return indexes
    .toReversed()
    .reduce((edited, at) => removeItem(edited, [...path, String(index), "hooks"], at), text);
}

/** Takes away what holds nothing any more. */
export function removeIfEmpty(text: string, path: readonly string[]): string {
  const node = nodeAt(readJsonTree(text), path);
  const isEmpty =
    (node?.kind === "array" && node.items.length === 0) ||
    (node?.kind === "object" && node.members.length === 0);
  return isEmpty ? removeAt(text, path) : text;
}

/** A path that leads through something else than objects is not one that we can write to. */
export function expectObjects(text: string, ...paths: readonly (readonly string[])[]): void {
  const root = readJsonTree(text);
  for (const path of paths) {
    const node = nodeAt(root, path);
    if (node !== undefined && node.kind !== "object")
      throw new NotJson(`"${path.join(".")}" should be an object: { … }.`, node.start);
  }
}

function listAt(root: JsonNode, path: readonly string[]): readonly JsonNode[] {
  const node = nodeAt(root, path);
  if (node === undefined) return [];
  if (node.kind !== "array") throw new NotJson(`"${path.join(".")}" should be a list: [ … ].`, node.start);
  return node.items;
}

/** A group is ours when all that it runs is our command: one that somebody shares with other hooks is theirs. */
function isOurs(group: unknown): boolean {
  const handlers = handlersOf(group);
  return handlers.length > 0 && handlers.every(isOurHandler);
}

function handlersOf(group: unknown): readonly unknown[] {
  const { hooks } = Object(group) as { hooks?: unknown };
  return Array.isArray(hooks) ? hooks : [];
}

function isOurHandler(handler: unknown): boolean {
  const { command } = Object(handler) as { command?: unknown };
  return typeof command === "string" && OURS.test(command);
}
