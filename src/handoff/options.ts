import { CheckpointError } from "../errors.ts";
import type { ReaderInterest } from "./items/collect.ts";
import { LEVELS, type Level } from "./items/levels.ts";
import type { Budget } from "./tokens/meter.ts";
import type { Family, TokenCounter } from "./tokens/token-counter.ts";

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
  /** Shorten essentials that do not fit, instead of failing: for channels that must carry something. */
  readonly shrink?: boolean | undefined;
  /** A subagent gets no resume command: that is for the agent that takes over. */
  readonly audience?: "next-agent" | "subagent" | undefined;
}

/** Throws `usage` for a size that is none: with it, no text would seem too long, or every one. */
function checkSizes({ level, maxTokens, maxChars }: HandoffOptions): void {
  const levels = Object.keys(LEVELS);
  check("level", level, (value) => levels.includes(value), `one of ${levels.join(", ")}`);
  for (const [name, size] of Object.entries({ maxTokens, maxChars }))
    check(name, size, (value) => Number.isSafeInteger(value) && value > 0, "a whole number above 0");
}

function check<Value>(
  name: string,
  value: Value | undefined,
  isRight: (value: Value) => boolean,
  wanted: string,
): void {
  if (value === undefined || isRight(value)) return;
  const found = (JSON.stringify(value) ?? typeof value).slice(0, 60);
  throw new CheckpointError("usage", `The option "${name}" is ${found}, where ${wanted} is needed.`, {
    hint: `Give ${wanted} for "${name}", or leave it out.`,
    details: { name },
  });
}

/** The limits that these options set. */
export function budgetOf(options: HandoffOptions): Budget {
  checkSizes(options);
  const { family = "claude", maxTokens, maxChars, counter } = options;
  const level = levelOf(options);
  return { family, maxTokens: maxTokens ?? (level && LEVELS[level]), maxChars, counter };
}

/** The level that these options name, unless a size in tokens overrides it. */
export function levelOf({ level, maxTokens, maxChars }: HandoffOptions): Level | undefined {
  if (maxTokens !== undefined) return undefined;
  return level ?? (maxChars === undefined ? "compact" : undefined);
}
