import { isDeepStrictEqual } from "node:util";
import { type JsonNode, type JsonPath, misfit, nodeAt, readJson, valueOf } from "./json-document.ts";
import { addAt, appendAt, removeAt, replaceAt } from "./json-edits.ts";

/** Hooks by event, in groups as Codex and Gemini CLI have them, or one by one as Cursor and Copilot CLI do. */
export type HookGroups = Readonly<Record<string, readonly object[]>>;

/** The commands that we write, and none that a user built around them. */
const OURS = /^(?:checkpoint hook(?: --client \w+)?$|command -v checkpoint >)/;

/**
 * Adds our group to each event; one of an earlier version is replaced, or removed where it is no longer needed. Other
 * people's hooks stay as they are, and an event whose group holds other hooks besides ours is left alone.
 */
export function addHooks(text: string, hooks: HookGroups): string {
  expectLists(text, Object.keys(hooks));
  const isOutdated = (event: string) =>
    !Object.hasOwn(hooks, event) && nodeAt(readJson(text), ["hooks", event])?.type === "array";
  let edited = removeHooks(text, isOutdated);
  for (const [event, [group]] of Object.entries(hooks)) {
    const path = ["hooks", event];
    const node = nodeAt(readJson(edited), path);
    const groups = groupsOf(node);
    const index = groups.findIndex(isOurs);
    if (index < 0 && groups.some((each) => handlersOf(each).some(isOurHandler))) continue;
    if (node === undefined) edited = addAt(edited, path, [group]);
    else if (index < 0) edited = appendAt(edited, path, group);
    else if (!isDeepStrictEqual(groups[index], group)) edited = replaceAt(edited, [...path, index], group);
  }
  return edited;
}

/** Removes our groups, and what is empty then. Of a group that holds other hooks too, only ours are removed. */
export function removeHooks(text: string, isMeant: (event: string) => boolean = () => true): string {
  const root = nodeAt(readJson(text), ["hooks"]);
  if (root?.type !== "object") return text;
  const events = Object.keys(valueOf(root) as object).filter(isMeant);
  expectLists(text, events);
  let edited = text;
  for (const event of events) {
    const path = ["hooks", event];
    const before = edited;
    const groups = groupsOf(nodeAt(readJson(edited), path));
    for (const [index, group] of [...groups.entries()].toReversed()) {
      edited = isOurs(group)
        ? removeAt(edited, [...path, index])
        : removeOurPart(edited, [...path, index, "hooks"], group);
    }
    if (edited !== before) edited = removeIfEmpty(edited, path);
  }
  return edited === text ? text : removeIfEmpty(edited, ["hooks"]);
}

function removeOurPart(text: string, path: JsonPath, group: unknown): string {
  const indexes = handlersOf(group).flatMap((handler, index) => (isOurHandler(handler) ? [index] : []));
  return indexes.toReversed().reduce((edited, index) => removeAt(edited, [...path, index]), text);
}

/** Removes an object or list that is empty. */
export function removeIfEmpty(text: string, path: JsonPath): string {
  const isEmpty = nodeAt(readJson(text), path)?.children?.length === 0;
  return isEmpty ? removeAt(text, path) : text;
}

/** We can only write to paths through objects. */
export function expectObjects(text: string, ...paths: readonly JsonPath[]): void {
  expect(text, paths, "object", "an object: { … }");
}

/** Called before the first edit, so that an error names the position in the person's file. */
function expect(text: string, paths: readonly JsonPath[], type: JsonNode["type"], wanted: string): void {
  const root = readJson(text);
  for (const path of paths) {
    const node = nodeAt(root, path);
    if (node !== undefined && node.type !== type)
      throw misfit(`"${path.join(".")}" should be ${wanted}.`, node.offset);
  }
}

function expectLists(text: string, events: readonly string[]): void {
  const paths = events.map((event) => ["hooks", event]);
  expect(text, paths, "array", "a list: [ … ]");
}

/** Where one of our hooks stands: its event, its group there, and its place in the group. */
export interface HookPlace {
  readonly event: string;
  readonly group: number;
  readonly handler: number;
}

/** Finds our hooks among all hooks of a settings file. */
export function ourHandlers(hooks: unknown): HookPlace[] {
  return Object.entries(Object(hooks) as Record<string, unknown>).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((each, group) =>
      handlersOf(each).flatMap((one, handler) => (isOurHandler(one) ? [{ event, group, handler }] : [])),
    ),
  );
}

function groupsOf(node: JsonNode | undefined): readonly unknown[] {
  return node === undefined ? [] : (valueOf(node) as readonly unknown[]);
}

/** A group is ours when it runs nothing but our command. */
function isOurs(group: unknown): boolean {
  const handlers = handlersOf(group);
  return handlers.length > 0 && handlers.every(isOurHandler);
}

/** A hook without a group is a group of one. */
function handlersOf(group: unknown): readonly unknown[] {
  const { hooks = [group] } = Object(group) as { hooks?: unknown };
  return Array.isArray(hooks) ? hooks : [];
}

function isOurHandler(handler: unknown): boolean {
  const { bash, command = bash } = Object(handler) as { bash?: unknown; command?: unknown };
  return typeof command === "string" && OURS.test(command);
}
