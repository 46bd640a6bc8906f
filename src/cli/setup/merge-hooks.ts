import { isDeepStrictEqual } from "node:util";
import { addAt, appendAt, removeAt, removeItem, replaceItem } from "./json-edits.ts";
import { type JsonNode, nodeAt, NotJson, readJsonTree, valueOf } from "./json-tree.ts";

/** Hooks by event, as Codex and Gemini CLI have them in their settings. */
export type HookGroups = Readonly<Record<string, readonly object[]>>;

const OURS = /(^|[\s;|&])checkpoint hook\b/;

/** Adds our group to each event; one of an earlier version is replaced. Other people's hooks stay as they are. */
export function addHooks(text: string, hooks: HookGroups): string {
  let edited = text;
  for (const [event, [group]] of Object.entries(hooks)) {
    const path = ["hooks", event];
    const groups = listAt(readJsonTree(edited), path);
    const index = groups.findIndex((each) => isOurs(valueOf(each)));
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

/** Takes our groups out, and what is empty then. */
export function removeHooks(text: string): string {
  let edited = text;
  const root = nodeAt(readJsonTree(text), ["hooks"]);
  if (root?.kind !== "object") return text;
  for (const { key } of root.members) {
    const path = ["hooks", key];
    const indexes = listAt(readJsonTree(edited), path).flatMap((group, index) =>
      isOurs(valueOf(group)) ? [index] : [],
    );
    for (const index of indexes.toReversed()) edited = removeItem(edited, path, index);
    if (indexes.length > 0) edited = removeIfEmpty(edited, path);
  }
  return edited === text ? text : removeIfEmpty(edited, ["hooks"]);
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
  const { hooks } = Object(group) as { hooks?: unknown };
  if (!Array.isArray(hooks) || hooks.length === 0) return false;
  return hooks.every((hook: unknown) => {
    const { command } = Object(hook) as { command?: unknown };
    return typeof command === "string" && OURS.test(command);
  });
}
