import type { Document } from "yaml";
import { readBounded } from "../../capture/files/read-bounded.ts";
import { CheckpointError, isCheckpointError } from "../../errors.ts";
import { suggest } from "../../text/suggest.ts";
import { CONFIG_FIELDS, type FieldSpec } from "./fields.ts";

/** What a config file may say. */
export interface ConfigFile {
  readonly plan?: string;
  readonly keep?: number;
  readonly probe_timeout?: number;
  readonly dependencies?: readonly { name: string; type?: string; endpoint: string; password_env?: string }[];
  readonly redact?: { patterns?: readonly { name: string; pattern: string }[]; allow?: readonly string[] };
  readonly summary?: { level?: string; family?: string };
  readonly allow_endpoints?: readonly string[];
}

const MAX_BYTES = 256 * 1024;

/**
 * Reads a config file. It is data: nothing in it is run, and aliases cannot blow it up. A setting that is wrong is left
 * out, and `warn` names its line and the fix: a typo must not keep work from being saved. A file that cannot be parsed is
 * refused, and so is a wrong `redact`, which would let secrets through.
 */
export async function readConfigFile(
  path: string,
  source: "project" | "user",
  warn: (warning: string) => void,
): Promise<ConfigFile> {
  const { bytes, problem } = readBounded(path, MAX_BYTES);
  if (bytes === undefined) {
    throw new CheckpointError("failed", `"${path}" cannot be used: ${problem}.`, {
      hint: "checkpoint doctor",
      details: { path },
    });
  }
  // Loaded here, because most projects have no such file and it takes many milliseconds.
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(bytes.toString("utf8"), { lineCounter: lines, prettyErrors: false });
  const [mistake] = document.errors;
  if (mistake !== undefined)
    throw wrong(path, lines.linePos(mistake.pos[0]).line, firstSentence(mistake.message), YAML_HINT);
  const lineOf = (keys: readonly (string | number)[]): number => {
    const node = document.getIn(keys, true) as { range?: readonly number[] } | undefined;
    const start = node?.range?.[0];
    return start === undefined
      ? keys.length === 0
        ? 1
        : lineOf(keys.slice(0, -1))
      : lines.linePos(start).line;
  };
  const value = plainValue(document, path);
  if (value === null || value === undefined) return {};
  return checkSettings(value, { path, source, keys: [], lineOf }, warn);
}

function checkSettings(value: unknown, where: Where, warn: (warning: string) => void): ConfigFile {
  const settings: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(asGroup(value, where))) {
    try {
      Object.assign(settings, checkObject({ [key]: item }, CONFIG_FIELDS, where));
    } catch (error) {
      const isOfRedaction = key === "redact" || suggest(key, ["redact"]) !== undefined;
      if (isOfRedaction || !isCheckpointError(error, "usage")) throw error;
      warn(`${error.message} The setting is ignored. ${error.hint}`);
    }
  }
  return settings;
}

function asGroup(value: unknown, where: Where): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw mismatch(where, "a group of settings", value);
}

/** Aliases that would blow the file up are refused by the parser. */
function plainValue(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw wrong(
      path,
      1,
      firstSentence((error as Error).message),
      "Write the values out instead of using aliases.",
    );
  }
}

const YAML_HINT = "YAML is indented by spaces, and a text with a colon in it needs quotes.";

interface Where {
  readonly path: string;
  readonly source: "project" | "user";
  readonly keys: readonly (string | number)[];
  readonly lineOf: (keys: readonly (string | number)[]) => number;
}

function check(value: unknown, spec: FieldSpec, where: Where): unknown {
  if (spec.userOnly && where.source === "project") {
    const name = nameOf(where);
    throw here(
      where,
      `"${name}" cannot be set by a project`,
      `Put it into your own config: checkpoint help environment`,
    );
  }
  if (spec.kind === "list") {
    if (!Array.isArray(value)) throw mismatch(where, "a list", value);
    return value.map((item: unknown, index) =>
      check(item, spec.of, { ...where, keys: [...where.keys, index] }),
    );
  }
  if (spec.kind === "object") return checkObject(value, spec.fields, where);
  const converted = spec.convert(value);
  if (converted === undefined) throw mismatch(where, spec.wanted, value);
  return converted;
}

function checkObject(
  value: unknown,
  fields: Readonly<Record<string, FieldSpec>>,
  where: Where,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(asGroup(value, where))) {
    const below = { ...where, keys: [...where.keys, key] };
    const spec = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (spec === undefined) throw unknownKey(below, key, Object.keys(fields));
    if (item !== null) result[key] = check(item, spec, below);
  }
  const missing = Object.entries(fields).find(
    ([key, { required }]) => required && result[key] === undefined,
  )?.[0];
  if (missing !== undefined) throw here(where, `"${missing}" is missing`, `Add a line: ${missing}: …`);
  return result;
}

function unknownKey(where: Where, key: string, known: readonly string[]): CheckpointError {
  const meant = suggest(key, known);
  const hint = meant === undefined ? `Known are: ${known.join(", ")}.` : `Did you mean "${meant}"?`;
  return here(where, `there is no setting "${key}"`, hint);
}

function mismatch(where: Where, wanted: string, value: unknown): CheckpointError {
  const name = nameOf(where);
  const found = JSON.stringify(value)?.slice(0, 40) ?? "nothing";
  return here(where, `"${name || "the file"}" is ${found}, where ${wanted} is needed`, `Write ${wanted}.`);
}

function nameOf({ keys }: Where): string {
  return keys.filter((key) => typeof key === "string").join(".");
}

function here(where: Where, what: string, hint: string): CheckpointError {
  return wrong(where.path, where.lineOf(where.keys), what, hint);
}

function wrong(path: string, line: number, what: string, hint: string): CheckpointError {
  return new CheckpointError("usage", `${path}, line ${line}: ${what}.`, { hint, details: { path, line } });
}

function firstSentence(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/[.:]?\s*(?:at line.*)?$/, "");
}
