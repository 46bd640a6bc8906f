import { misfit, nodeAt, readJson, valueOf } from "./json-document.ts";
import { addAt, removeAt } from "./json-edits.ts";
import { addHooks, expectObjects, type HookGroups, removeHooks, removeIfEmpty } from "./merge-hooks.ts";
import { meaningOfJson, planJson } from "./plan-json.ts";
import { type Direction, type PlannedChange, planRemoval } from "./planned-change.ts";

/** What we write into a settings file. */
export interface OurSettings {
  readonly hooks?: HookGroups;
  /** The version of a hooks file, where it has one. A file of another version is refused. */
  readonly version?: number;
  /** What the client wants to know about the MCP server besides its command. */
  readonly server?: object;
}

/** Plans our hooks and our MCP server in a JSON file, as most clients list them. */
export function planSettings(path: string, direction: Direction, ours: OurSettings): PlannedChange {
  const what = [ours.hooks && "our hooks", ours.server && "the MCP server"].filter(Boolean).join(" and ");
  if (direction === "add") return planJson(path, `add ${what}`, (text) => add(text, ours));
  return planRemoval(
    planJson(path, `remove ${what}`, (text) => remove(text, ours)),
    (text) => meaningOf(text, ours.version),
  );
}

const SERVER = ["mcpServers", "cairn"];

/** A server of our name that is there already stays as it is. */
function add(text: string, { hooks, version, server }: OurSettings): string {
  expectObjects(text, ...(hooks ? [["hooks"]] : []), ...(server ? [["mcpServers"]] : []));
  let edited = version === undefined ? text : withVersion(text, version);
  if (hooks !== undefined) edited = addHooks(edited, hooks);
  if (server === undefined || nodeAt(readJson(edited), SERVER) !== undefined) return edited;
  return addAt(edited, SERVER, { ...server, command: "checkpoint", args: ["mcp"] });
}

function remove(text: string, { hooks, server }: OurSettings): string {
  const edited = hooks === undefined ? text : removeHooks(text);
  const found = server && nodeAt(readJson(edited), SERVER);
  if (found === undefined || !isOurServer(valueOf(found))) return edited;
  return removeIfEmpty(removeAt(edited, SERVER), SERVER.slice(0, 1));
}

/** A server of our name that runs another program is not ours. */
export function isOurServer(server: unknown): boolean {
  const { command, args } = Object(server) as { command?: unknown; args?: unknown };
  const isOurCommand = typeof command === "string" && /(?:^|[\\/])checkpoint(?:\.cmd|\.exe)?$/.test(command);
  return isOurCommand && Array.isArray(args) && args[0] === "mcp";
}

function withVersion(text: string, version: number): string {
  const found = nodeAt(readJson(text), ["version"]);
  if (found === undefined) return addAt(text, ["version"], version);
  if (valueOf(found) === version) return text;
  throw misfit(`"version" should be ${version}: no other version is supported.`, found.offset);
}

/** A file that holds only the version holds nothing. */
function meaningOf(text: string, version: number | undefined): string {
  const found = text.trim() === "" ? undefined : nodeAt(readJson(text), ["version"]);
  const isOurs = found !== undefined && valueOf(found) === version;
  return meaningOfJson(isOurs ? removeAt(text, ["version"]) : text);
}
