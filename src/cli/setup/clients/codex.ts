import { join } from "node:path";
import { personalFolder } from "../../../capture/files/home-folder.ts";
import { findTomlProblem } from "../check-toml.ts";
import { addBlock, type MarkedBlock, removeBlock } from "../marked-block.ts";
import { addHooks, expectObjects, type HookGroups, removeHooks } from "../merge-hooks.ts";
import {
  type ClientPlan,
  type Direction,
  malformed,
  meaningOfJson,
  type PlannedChange,
  planJson,
  planRemoval,
  readIfThere,
} from "../planned-change.ts";
import { readPackaged, type SetupWorld } from "../setup-world.ts";

const SERVER: MarkedBlock = {
  first: "# Added by checkpoint init; checkpoint init --remove takes it out again.",
  body: '[mcp_servers.cairn]\ncommand = "checkpoint"\nargs = ["mcp"]',
  last: "# End of what checkpoint init added.",
};

/** Codex: our hooks among the person's own, and the MCP server in its configuration. */
export function planCodex(world: SetupWorld, direction: Direction): ClientPlan | undefined {
  const folder = personalFolder(world.env, "CODEX_HOME", ".codex");
  if (folder === undefined) return undefined;
  const config = join(folder, "config.toml");
  const text = readConfig(config);
  const plan = (changes: PlannedChange[], ...notes: string[]): ClientPlan => ({
    client: "codex",
    name: "Codex",
    changes,
    notes,
  });
  const hooks = join(folder, "hooks.json");
  if (direction === "remove") {
    const notes = hasCodexPlugin(text)
      ? ["The plugin was installed in Codex itself; to remove it: codex plugin remove cairn@cairn"]
      : [];
    const without = planRemoval(planJson(hooks, "take our hooks out", removeHooks), meaningOfJson);
    return plan(
      [without, planRemoval(configChange(config, text, removeBlock(text ?? "", SERVER)))],
      ...notes,
    );
  }
  if (hasCodexPlugin(text)) {
    const unchanged = {
      path: config,
      what: "the plugin cairn@cairn is installed",
      before: text,
      after: text,
    };
    return plan([unchanged]);
  }
  const wanted = codexHooks(world);
  const merged = planJson(hooks, "add our hooks", (json) => {
    expectObjects(json, ["hooks"]);
    return addHooks(json, wanted);
  });
  const hasOwnServer = /^\s*\[mcp_servers\.("?)cairn\1\]/m.test(removeBlock(text ?? "", SERVER));
  const server = configChange(config, text, hasOwnServer ? (text ?? "") : addBlock(text ?? "", SERVER));
  const isNew = merged.before !== merged.after;
  return plan(
    [merged, server],
    ...(isNew ? ["Codex runs new hooks only once you trust them: type /hooks in it."] : []),
  );
}

/** The hooks that the plugin brings, so that both ways are trusted as the same. */
function codexHooks(world: SetupWorld): HookGroups {
  return (JSON.parse(readPackaged(world, "plugin/hooks/codex.json")) as { hooks: HookGroups }).hooks;
}

function hasCodexPlugin(config: string | undefined): boolean {
  return /^\s*\[plugins\."cairn@cairn"\]/m.test(config ?? "");
}

function configChange(path: string, before: string | undefined, after: string): PlannedChange {
  const what = after.length >= (before ?? "").length ? "add the MCP server" : "take the MCP server out";
  return { path, what, before, after: before === undefined && after === "" ? undefined : after };
}

function readConfig(path: string): string | undefined {
  const text = readIfThere(path);
  const problem = text === undefined ? undefined : findTomlProblem(text);
  if (problem !== undefined) throw malformed(path, text ?? "", problem.position, problem.message);
  return text;
}
