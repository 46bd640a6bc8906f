import { nodeAt, readJson, valueOf } from "./json-document.ts";
import { addAt, removeAt } from "./json-edits.ts";
import { expectObjects, removeIfEmpty } from "./merge-hooks.ts";
import { meaningOfJson, planJson } from "./plan-json.ts";
import { type Direction, type PlannedChange, planRemoval } from "./planned-change.ts";

const SERVER = ["mcpServers", "cairn"];

/** Plans our MCP server in a file that lists them. `fields` are what this client wants besides the command. */
export function planServer(path: string, direction: Direction, fields?: object): PlannedChange {
  if (direction === "remove")
    return planRemoval(planJson(path, "take the MCP server out", removeServer), meaningOfJson);
  return planJson(path, "add the MCP server", (text) => {
    expectObjects(text, ["mcpServers"]);
    return addServer(text, fields);
  });
}

/** Adds our MCP server where several clients list theirs. One of that name that is there stays as it is. */
export function addServer(text: string, fields: object = {}): string {
  const isThere = nodeAt(readJson(text), SERVER) !== undefined;
  return isThere ? text : addAt(text, SERVER, { ...fields, command: "checkpoint", args: ["mcp"] });
}

/** Removes our MCP server: one that runs another program is not ours. */
export function removeServer(text: string): string {
  const command = nodeAt(readJson(text), [...SERVER, "command"]);
  if (command === undefined || !/(?:^|[\\/])checkpoint$/.test(String(valueOf(command)))) return text;
  return removeIfEmpty(removeAt(text, SERVER), ["mcpServers"]);
}
