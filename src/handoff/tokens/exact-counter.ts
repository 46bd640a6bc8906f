import { CheckpointError } from "../../errors.ts";
import type { TokenCounter } from "./token-counter.ts";

/** The encodings of OpenAI's models that can be counted exactly: o200k since GPT-4o, cl100k before. */
export type Encoding = "o200k" | "cl100k";

/** The part of gpt-tokenizer that is used. */
interface Tokenizer {
  countTokens(text: string, options: { disallowedSpecial: ReadonlySet<string> }): number;
}

/**
 * An exact tokenizer, from the optional package gpt-tokenizer. Rejects with `missing-dependency` when that is not
 * installed, and with `usage` for an encoding that it does not have.
 *
 * @example
 * const { text } = handoff(input, { maxTokens: 2500, family: "gpt", counter: await loadCounter("o200k") });
 */
export async function loadCounter(
  encoding: Encoding,
  importModule: (name: string) => Promise<unknown> = (name) => import(name),
): Promise<TokenCounter> {
  if (encoding !== "o200k" && encoding !== "cl100k") throw unknownEncoding(encoding);
  const tokenizer = (await importModule(`gpt-tokenizer/encoding/${encoding}_base`).catch((cause: unknown) => {
    throw missingPackage(cause);
  })) as Tokenizer;
  // Text such as <|endoftext|> is counted as text: recorded content may contain it, and must not stop a handoff.
  const options = { disallowedSpecial: new Set<string>() };
  return { name: encoding, count: (text) => tokenizer.countTokens(text, options) };
}

function unknownEncoding(encoding: string): CheckpointError {
  return new CheckpointError("usage", `"${encoding}" is not an encoding that can be counted exactly.`, {
    hint: "The encodings are o200k and cl100k.",
    details: { encoding },
  });
}

function missingPackage(cause: unknown): CheckpointError {
  return new CheckpointError("missing-dependency", "Counting exactly needs the package gpt-tokenizer.", {
    hint: "npm install gpt-tokenizer",
    details: { package: "gpt-tokenizer" },
    cause,
  });
}
