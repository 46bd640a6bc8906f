import { readBounded } from "../../machine/read-bounded.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { suggest } from "../../../core/text/suggest.ts";
import { formatProblem } from "../../yaml/problems.ts";
import { readYaml } from "../../yaml/read-yaml.ts";
import { check } from "../../shape/check.ts";
import { type ConfigFile, settingsIn } from "./fields.ts";
import { MAX_CONFIG_BYTES } from "./settings.ts";

/**
 * Reads a config file. It is data: reading it runs nothing, and aliases cannot blow it up. A setting that is wrong is left
 * out, and `warn` names its line and the fix: a typo must not keep work from being saved. A file that cannot be parsed is
 * refused, and so are a wrong `redact`, which would let secrets through, and a wrong `store`, which would split the work.
 */
export function readConfigFile(
  path: string,
  source: "project" | "user",
  warn: (warning: string) => void,
): ConfigFile {
  const { bytes, problem } = readBounded(path, MAX_CONFIG_BYTES);
  if (bytes === undefined) {
    throw new CheckpointError("failed", `"${path}" cannot be used: ${problem}.`, {
      hint: "checkpoint doctor",
      details: { path },
    });
  }
  const { value, problems } = readYaml(bytes.toString("utf8"), path);
  if (value === null || value === undefined) return {};
  // A setting without a value is not set.
  const settings = JSON.parse(JSON.stringify(value, (_key, item: unknown) => item ?? undefined)) as object;
  check(settings, settingsIn(source), problems);
  for (const wrong of problems.all) {
    const [name = ""] = wrong.path.split(/[.[]/);
    if (wrong.path === "(root)" || suggest(name, ["redact", "store"]) !== undefined)
      throw new CheckpointError("usage", formatProblem(wrong), {
        hint: wrong.remedy,
        details: { path, line: wrong.line },
      });
    const part = leaveOut(settings, wrong.path);
    warn(`${formatProblem(wrong)} The ${part} is ignored. ${wrong.remedy}`);
  }
  return withoutGaps(settings);
}

/** Takes out no more than what is wrong: one entry of a list, one part of a setting, or the whole setting. */
function leaveOut(settings: object, path: string): "entry" | "setting" {
  const [, name = "", part] = /^(\w+)(?:[.[](\w+))?/.exec(path) ?? [];
  const setting: unknown = Reflect.get(settings, name);
  if (part === undefined) Reflect.deleteProperty(settings, name);
  else Reflect.deleteProperty(setting as object, part);
  return part !== undefined && Array.isArray(setting) ? "entry" : "setting";
}

/** Closes the gaps that entries taken out of a list leave: `filter` skips them. */
function withoutGaps(settings: object): ConfigFile {
  const entries = Object.entries(settings) as [string, unknown][];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.filter(() => true) : value]),
  );
}
