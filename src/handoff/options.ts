import { CheckpointError } from "../errors.ts";
import type { ReaderInterest } from "./items/collect.ts";
import { LEVELS, type Level } from "./items/levels.ts";
import type { Budget } from "./tokens/meter.ts";
import { checkCounter, parseFamily, type Family, type TokenCounter } from "./tokens/token-counter.ts";

export interface HandoffOptions extends ReaderInterest {
  /** A size by name: `minimal`, `compact` (the default), `standard`, `full`. */
  readonly level?: Level | undefined;
  /** A size in tokens; overrides `level`. */
  readonly maxTokens?: number | undefined;
  /** A size in UTF-16 units, as hook channels count. The only limit if there is no level or size in tokens. */
  readonly maxChars?: number | undefined;
  /** Whose tokens: `claude` (the default), `claude-3`, `gpt`, `gemini`, or `any` of them. */
  readonly family?: Family | undefined;
  /** An exact tokenizer, instead of the estimate for the family. */
  readonly counter?: TokenCounter | undefined;
  /** `markdown` (the default), `plain`, or `json`: the briefing with all that was kept and dropped. */
  readonly format?: "markdown" | "plain" | "json" | undefined;
  /** Shorten essentials that do not fit, instead of failing: for channels that must carry something. */
  readonly shrink?: boolean | undefined;
  /** A subagent gets no resume command: that is for the agent that takes over. */
  readonly audience?: "next-agent" | "subagent" | undefined;
}

/** Throws `usage` for an invalid option, so that callers without types notice their typing errors. */
export function checkOptions(options: HandoffOptions): void {
  const { format, audience, shrink } = options;
  const formats = ["markdown", "plain", "json"];
  const audiences = ["next-agent", "subagent"];
  check("format", format, () => formats.includes(format!), `one of ${formats.join(", ")}`);
  check("audience", audience, () => audiences.includes(audience!), `one of ${audiences.join(", ")}`);
  check("shrink", shrink, () => typeof shrink === "boolean", "true or false");
  checkText("for", options.for);
  checkTexts("keys", options.keys);
  if (options.counter !== undefined) checkCounter(options.counter);
}

export function checkText(name: string, value: string | undefined): void {
  check(name, value, () => typeof value === "string", "a text");
}

/** A single text would be taken for a list of its letters. */
export function checkTexts(name: string, value: readonly string[] | undefined): void {
  const isRight = () => Array.isArray(value) && value.every((text) => typeof text === "string");
  check(name, value, isRight, "a list of texts");
}

function check(name: string, value: unknown, isRight: () => boolean, wanted: string): void {
  if (value === undefined || isRight()) return;
  const found = (JSON.stringify(value) ?? typeof value).slice(0, 60);
  throw new CheckpointError("usage", `The option "${name}" is ${found}, where ${wanted} is needed.`, {
    hint: `Give ${wanted} for "${name}", or leave it out.`,
    details: { name },
  });
}

/** The limits that these options set, checked. */
export function budgetOf(options: HandoffOptions): Budget {
  const family = parseFamily(options.family ?? "claude");
  const maxChars = checkSize("maxChars", options.maxChars);
  // Both are checked, even though only one counts.
  const level = sizeOf(options.level);
  const named = checkSize("maxTokens", options.maxTokens) ?? level;
  const maxTokens = named ?? sizeOf(levelOf(options));
  return { family, maxTokens, maxChars, counter: options.counter };
}

/** The level that these options name, unless a size in tokens goes before it. */
export function levelOf({ level, maxTokens, maxChars }: HandoffOptions): Level | undefined {
  if (maxTokens !== undefined) return undefined;
  return level ?? (maxChars === undefined ? "compact" : undefined);
}

function sizeOf(level: string | undefined): number | undefined {
  if (level === undefined) return undefined;
  if (Object.hasOwn(LEVELS, level)) return LEVELS[level as Level];
  throw new CheckpointError("usage", `"${level}" is not a level.`, {
    hint: `The levels are ${Object.keys(LEVELS).join(", ")}.`,
    details: { level },
  });
}

function checkSize(name: string, size: number | undefined): number | undefined {
  if (size === undefined || (Number.isSafeInteger(size) && size > 0)) return size;
  throw new CheckpointError("usage", `"${size}" is not a size for ${name}.`, {
    hint: "A size is a whole number above 0.",
    details: { name, size },
  });
}
