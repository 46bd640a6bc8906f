import { readBounded } from "../../../work/machine/read-bounded.ts";
import { resolve } from "node:path";
import { parseForeignJson } from "../../../core/trails/transfer/parse-json.ts";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import type { Json } from "../../../core/objects/json.ts";
import { setVariable } from "../../../work/project/work/variables.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { asText, describe } from "../../../core/text/untrusted.ts";
import { clip, oneLine } from "../../../core/text/visible.ts";
import type { CommandOf, CommandOptions } from "../command.ts";
import type { Context } from "../../../work/terminal/context.ts";

type SetOptions = CommandOptions<"set">;

const MAX_BYTES = 64 * 2 ** 20;

export const set: CommandOf<"set"> = async (context, options, output) => {
  const { trail, key } = options;
  const { text, source } = await given(context, options);
  const value: Json = options.parse ? parsed(text, source) : text;
  const result = await setVariable(context.project, { trail, key, value });
  output.result(
    result,
    oneLine(clip(`${result.key} = ${asText(result.value) ?? describe(result.value, 200)}`, 200)),
  );
};

function parsed(text: string, source: string): Json {
  try {
    return parseForeignJson(text, source);
  } catch (error) {
    if (!isCheckpointError(error, "usage")) throw error;
    const hint = "Give JSON, in single quotes: '{\"cpu\": 2}'. Without --parse it is kept as text.";
    throw new CheckpointError("usage", error.message, { hint, details: { source } });
  }
}

/** The value as text: what was typed, what a file holds, or what stdin brings. */
async function given(context: Context, { key, value, file }: SetOptions) {
  if ((value === undefined) === (file === undefined)) throw oneValue(key, value !== undefined);
  if (file !== undefined) {
    const { bytes, problem } = readBounded(resolve(context.cwd, file), MAX_BYTES);
    if (bytes === undefined) throw unreadable(file, problem ?? "it is not there");
    return { text: textOf(bytes, file), source: file };
  }
  if (value !== "-") return { text: value!, source: key };
  return { text: textOf(await context.readInput(), "stdin").replace(/\r?\n$/, ""), source: "stdin" };
}

function textOf(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable(source, "it is not text in UTF-8");
  }
}

function oneValue(key: string, isTwice: boolean): CheckpointError {
  const message = isTwice
    ? `The value of "${key}" is given twice: as typed, and as a file.`
    : `checkpoint set needs VALUE: what "${key}" is to be.`;
  const [name = "", ...rest] = key.split("=");
  const hint =
    rest.length > 0 && !isTwice
      ? `checkpoint set ${shellWord(name)} ${shellWord(rest.join("="))}`
      : `checkpoint set ${key} VALUE, or --file FILE, or -`;
  return new CheckpointError("usage", message, { hint });
}

function unreadable(source: string, why: string): CheckpointError {
  return new CheckpointError("usage", `"${source}" cannot be used as a value: ${why}.`, {
    hint: "Give a file with text, of at most 64 MB.",
    details: { source },
  });
}
