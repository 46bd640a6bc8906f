import { isDeepStrictEqual } from "node:util";
import { isCheckpointError } from "../../../../core/errors.ts";
import type { Direction } from "../planned-change.ts";
import { isOurServer } from "../settings-file.ts";
import { PLUGIN } from "../setup-world.ts";
import { addTable, cutTables, readToml, type TomlDocument, type TomlPart } from "../toml-document.ts";

export interface ConfigEdit {
  readonly text: string;
  readonly notes: readonly string[];
  /** Whether our plugin is installed, which brings hooks and server: then nothing is added. */
  readonly hasPlugin: boolean;
  /** What the config says, before the edit. */
  readonly value: TomlDocument["value"];
}

const OURS = ["mcp_servers", "cairn"] as const;
const TABLE = '[mcp_servers.cairn]\ncommand = "checkpoint"\nargs = ["mcp"]';
const INLINE = 'cairn = { command = "checkpoint", args = ["mcp"] }';

/**
 * Adds our MCP server to Codex's config, or removes it. Only the table `[mcp_servers.cairn]` and its subtables are ours:
 * every other byte stays. Where that cannot be done, the text is left alone and a note says what to do by hand.
 */
export async function editCodexConfig(path: string, text: string, direction: Direction): Promise<ConfigEdit> {
  const config = await readToml(path, text);
  const hasPlugin = Object.hasOwn(Object(config.value["plugins"]) as object, PLUGIN);
  const found = { hasPlugin, value: config.value };
  if (direction === "add" && hasPlugin) return { text, notes: [], ...found };
  const edit = await (direction === "add" ? addServer(config) : removeServer(config));
  return typeof edit === "string"
    ? { text: edit, notes: [], ...found }
    : { text, notes: [edit.byHand], ...found };
}

interface RefusedEdit {
  readonly byHand: string;
}

/** An existing server of this name is left as it is, in whatever form. */
async function addServer(config: TomlDocument): Promise<string | RefusedEdit> {
  if (serverIn(config) !== undefined) return config.text;
  const after = addTable(config, TABLE);
  return (await isSafe(config, after)) &&
    (await removeServer(await readToml(config.path, after))) === config.text
    ? after
    : { byHand: `To add the MCP server, write this into mcp_servers in ${config.path} yourself: ${INLINE}` };
}

async function removeServer(config: TomlDocument): Promise<string | RefusedEdit> {
  const server = serverIn(config);
  if (server === undefined) return config.text;
  if (!isOurServer(server))
    return { byHand: `The MCP server "cairn" in ${config.path} runs another command, so it was left alone.` };
  const after = cutTables(config.text, config.tables.filter(isOurPart));
  if ((await isSafe(config, after)) && serverIn(await readToml(config.path, after)) === undefined)
    return after;
  return { byHand: `To remove the MCP server, delete this from ${config.path} yourself: ${shown(config)}` };
}

/**
 * Whether an edited text is still TOML and differs only in our server. Cutting and appending whole tables should never
 * change anything else; if it ever does, the file is left alone.
 */
export async function isSafe(config: Pick<TomlDocument, "path" | "value">, after: string): Promise<boolean> {
  try {
    const { value } = await readToml(config.path, after);
    return isDeepStrictEqual(withoutServer(config.value), withoutServer(value));
  } catch (error) {
    if (isCheckpointError(error, "refused")) return false;
    throw error;
  }
}

function serverIn({ value }: TomlDocument): unknown {
  const [servers, name] = OURS;
  return (Object(value[servers]) as Record<string, unknown>)[name];
}

/** `mcp_servers` itself is there only because of our table, unless it holds another one. */
function withoutServer(value: Readonly<Record<string, unknown>>): unknown {
  const { mcp_servers, ...rest } = value;
  const { cairn: _, ...others } = Object(mcp_servers) as Record<string, unknown>;
  return { ...rest, others };
}

function isOurPart({ key }: TomlPart): boolean {
  return OURS.every((name, index) => key[index] === name);
}

/** Our server as the person wrote it, in a form that we do not edit. */
function shown({ text, settings }: TomlDocument): string {
  const isAround = ({ key }: TomlPart) => key.every((name, index) => name === OURS[index]);
  const parts = settings.filter((part) => isOurPart(part) || isAround(part));
  return parts.map(({ start, end }) => text.slice(start, end)).join("; ");
}
