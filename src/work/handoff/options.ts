import { CheckpointError } from "../../core/errors.ts";
import type { ReaderInterest } from "./items/collect.ts";
import { LEVELS, type Level } from "./items/levels.ts";
import { FAMILIES, type Family, type TokenCounter } from "./tokens/token-counter.ts";

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

/** The limits that a briefing keeps. */
export interface Budget {
  readonly family: Family;
  readonly maxTokens?: number | undefined;
  readonly maxChars?: number | undefined;
  readonly counter?: TokenCounter | undefined;
}

/** The options that take one of a few words. */
const ONE_OF: Readonly<Record<string, readonly string[]>> = {
  format: ["markdown", "plain", "json"],
  audience: ["next-agent", "subagent"],
  level: Object.keys(LEVELS),
  family: [...FAMILIES, "any"],
};

/** Throws `usage` for an invalid option, so that callers without types notice their typing errors. */
function checkOptions(options: HandoffOptions): void {
  const { maxTokens, maxChars, shrink, counter } = options;
  for (const [name, words] of Object.entries(ONE_OF)) {
    const given = options[name as keyof HandoffOptions];
    check(name, given, (value) => words.includes(value as string), `one of ${words.join(", ")}`);
  }
  const isSize = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;
  check("maxTokens", maxTokens, isSize, "a whole number above 0");
  check("maxChars", maxChars, isSize, "a whole number above 0");
  check("shrink", shrink, (value) => typeof value === "boolean", "true or false");
  const { name, count } = Object(counter) as Partial<TokenCounter>;
  const isCounter = () => typeof name === "string" && typeof count === "function";
  check("counter", counter, isCounter, 'a counter such as { name: "mine", count: (text) => 1 }');
  checkText("for", options.for);
  checkTexts("keys", options.keys);
}

export function checkText(name: string, given: string | undefined): void {
  check(name, given, (value) => typeof value === "string", "a text");
}

/** A single text would be taken for a list of its letters. */
export function checkTexts(name: string, given: readonly string[] | undefined): void {
  const isRight = (value: unknown) => Array.isArray(value) && value.every((text) => typeof text === "string");
  check(name, given, isRight, "a list of texts");
}

function check(name: string, value: unknown, isRight: (value: unknown) => boolean, wanted: string): void {
  if (value === undefined || isRight(value)) return;
  const found = (JSON.stringify(value) ?? typeof value).slice(0, 60);
  throw new CheckpointError("usage", `The option "${name}" is ${found}, where ${wanted} is needed.`, {
    hint: `Give ${wanted} for "${name}", or leave it out.`,
    details: { name },
  });
}

/** The limits that these options set. Throws `usage` if any option is invalid. */
export function budgetOf(options: HandoffOptions): Budget {
  checkOptions(options);
  const { family = "claude", maxTokens, maxChars, counter } = options;
  const level = levelOf(options);
  return { family, maxTokens: maxTokens ?? (level && LEVELS[level]), maxChars, counter };
}

/** The level that these options name, unless a size in tokens overrides it. */
export function levelOf({ level, maxTokens, maxChars }: HandoffOptions): Level | undefined {
  if (maxTokens !== undefined) return undefined;
  return level ?? (maxChars === undefined ? "compact" : undefined);
}
