import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe } from "../../handoff/untrusted.ts";
import { oneLine } from "../../handoff/visible.ts";
import { table } from "../columns.ts";
import { chooseTrail } from "../choose-trail.ts";
import { agentName } from "../commit.ts";
import { PROJECT_FILE, readSettings, userConfigFile } from "../config/settings.ts";
import type { Context } from "../context.ts";
import { findProject } from "../open.ts";
import type { Output } from "../output.ts";

/** Show the settings in force and where each comes from */
export async function config(context: Context, _options: object, output: Output): Promise<void> {
  const { root, folder } = findProject(context);
  const { sources, ...settings } = await readSettings(context, root);
  const files = { project: join(root, PROJECT_FILE), user: userConfigFile(context) ?? null };
  const trail = chooseTrail(context, undefined);
  const agent = agentName(context.env, undefined) ?? null;
  const { style } = output;
  output.result({ root, store: folder, trail, agent, files, settings, sources }, () => {
    const rows = [
      ["root", root, ""],
      ["trail", trail.name, trail.by],
      ["agent", agent ?? style.dim("none"), agent === null ? "" : "environment"],
      ...Object.entries(settings)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [
          name,
          oneLine(shown(value)),
          sources[name] ?? (isSet(value) ? "files" : "default"),
        ]),
      ...Object.entries(files).map(([whose, path]) => [
        `${whose} config`,
        path ?? "none",
        path !== null && existsSync(path) ? "read" : "not there",
      ]),
    ];
    return table(
      rows.map(([name = "", value = "", source = ""]) => [style.bold(name), value, style.dim(source)]),
      undefined,
    );
  });
}

const isSet = (value: unknown) => Array.isArray(value) && value.length > 0;

function shown(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === "object")) {
    return value.length === 0 ? "none" : value.map((item: { name?: string }) => item.name ?? "?").join(", ");
  }
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return typeof value === "string" ? value : describe(value, 200);
}
