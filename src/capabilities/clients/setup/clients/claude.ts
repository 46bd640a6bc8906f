import { join } from "node:path";
import { own } from "../../../../core/text/untrusted.ts";
import { addAt, removeAt } from "../json-edits.ts";
import { nodeAt, readJson, valueOf } from "../json-document.ts";
import { expectObjects, removeIfEmpty } from "../merge-hooks.ts";
import { meaningOfJson, planJson, valueAfter } from "../plan-json.ts";
import { type Direction, planRemoval } from "../planned-change.ts";
import { hasMarketplace, isTemporary, PLUGIN, type SetupWorld } from "../setup-world.ts";

const ENABLED = ["enabledPlugins", PLUGIN];
const MARKETPLACE = ["extraKnownMarketplaces", "cairn"];

/** Claude Code: two settings that name the plugin and where it is. The client then installs it when it starts. */
export function planClaude(world: SetupWorld, direction: Direction, folder: string) {
  const notes: string[] = [];
  const path = join(folder, "settings.json");
  const change =
    direction === "add"
      ? planJson(path, `enable the plugin ${PLUGIN}`, (text) => add(text, world, notes))
      : planRemoval(
          planJson(path, `remove the plugin ${PLUGIN}`, (text) => remove(text, world, notes)),
          meaningOfJson,
        );
  const isOff = direction === "add" && own(valueAfter(change), "disableAllHooks") === true;
  return { changes: [change], notes, waitsFor: isOff ? `take disableAllHooks out of ${path}` : undefined };
}

/** Whether our plugin is switched on; undefined if the settings do not name it. */
function isEnabled(text: string): boolean | undefined {
  const enabled = nodeAt(readJson(text), ENABLED);
  return enabled === undefined ? undefined : valueOf(enabled) === true;
}

function add(text: string, world: SetupWorld, notes: string[]): string {
  expectObjects(text, ["enabledPlugins"], ["extraKnownMarketplaces"], MARKETPLACE);
  const enabled = isEnabled(text);
  if (enabled === false) {
    notes.push(`You switched the plugin off in Claude Code; to switch it on: /plugin enable ${PLUGIN}`);
    return text;
  }
  const source = marketplaceIn(text);
  // Another way to the same plugin, which the person chose.
  if (enabled && (source?.source !== "directory" || isAnotherCopy(source, world))) return text;
  if (isTemporary(world)) {
    notes.push("npx may delete this package at any time. First: npm install --global cairn-checkpoint");
    return text;
  }
  const wanted = { source: { source: "directory", path: world.packageRoot } };
  const isGone =
    source?.source === "directory" && source.path !== world.packageRoot && !isAnotherCopy(source, world);
  let edited = isGone ? removeAt(text, MARKETPLACE) : text;
  if (nodeAt(readJson(edited), MARKETPLACE) === undefined) edited = addAt(edited, MARKETPLACE, wanted);
  return enabled ? edited : addAt(edited, ENABLED, true);
}

function remove(text: string, world: SetupWorld, notes: string[]): string {
  const source = marketplaceIn(text);
  if (isEnabled(text) === undefined && source === undefined) return text;
  const isChosen = isAnotherCopy(source, world) && !isInstalled(source);
  if (source?.source !== "directory" || isChosen) {
    notes.push(`The plugin was installed in Claude Code itself; to remove it: /plugin uninstall ${PLUGIN}`);
    return text;
  }
  const edited = removeIfEmpty(removeAt(text, MARKETPLACE), MARKETPLACE.slice(0, 1));
  if (isEnabled(edited) === undefined) return edited;
  return removeIfEmpty(removeAt(edited, ENABLED), ENABLED.slice(0, 1));
}

interface Marketplace {
  readonly source?: unknown;
  readonly path?: unknown;
}

function marketplaceIn(text: string): Marketplace | undefined {
  const node = nodeAt(readJson(text), [...MARKETPLACE, "source"]);
  return node === undefined ? undefined : (Object(valueOf(node)) as Marketplace);
}

/** Whether the plugin comes from another copy of this package that is there, such as a checkout: it works as well. */
function isAnotherCopy(source: Marketplace | undefined, { packageRoot }: SetupWorld): boolean {
  const path = source?.path;
  return typeof path === "string" && path !== packageRoot && hasMarketplace(path);
}

/** What npm installed was set up by us; another folder was chosen by the person. */
function isInstalled(source: Marketplace | undefined): boolean {
  return /[\\/]node_modules[\\/]/.test(String(source?.path));
}
