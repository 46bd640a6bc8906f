import { CheckpointError } from "../errors.ts";
import { checkFlag, checkText, checkTexts, checkWord } from "./check-options.ts";
import type { Interest } from "./items/collect.ts";
import type { Budget } from "./tokens/meter.ts";
import { checkCounter, parseFamily, type Family, type TokenCounter } from "./tokens/token-counter.ts";

/** The sizes by name, in tokens. */
export const LEVELS = { minimal: 500, compact: 1000, standard: 2000, full: 4000 } as const;

export type Level = keyof typeof LEVELS;

export interface HandoffOptions extends Interest {
  /** A size by name: `minimal`, `compact` (the default), `standard`, `full`. */
  readonly level?: Level | undefined;
  /** A size in tokens; goes before `level`. */
  readonly maxTokens?: number | undefined;
  /** A size in UTF-16 units, as hook channels count. Without a level or a size in tokens, the only limit. */
  readonly maxChars?: number | undefined;
  /** Whose tokens: `claude` (the default), `claude-3`, `gpt`, `gemini`, or `any` of them. */
  readonly family?: Family | undefined;
  /** An exact tokenizer, instead of the estimate for the family. */
  readonly counter?: TokenCounter | undefined;
  /** `markdown` (the default), `plain`, or `json`: the briefing with everything that was kept and dropped. */
  readonly format?: "markdown" | "plain" | "json" | undefined;
  /** Shorten essentials that do not fit, instead of failing: for channels that must carry something. */
  readonly shrink?: boolean | undefined;
  /** A subagent gets no command to resume with: that is for whoever takes over. */
  readonly audience?: "next-agent" | "subagent" | undefined;
}

/** Refuses with `usage` what is none of the choices of an option: a caller without types gets what it asked for, or is told. */
export function checkOptions(options: HandoffOptions): void {
  checkWord("format", options.format, ["markdown", "plain", "json"]);
  checkWord("audience", options.audience, ["next-agent", "subagent"]);
  checkFlag("shrink", options.shrink);
  checkText("for", options.for);
  checkTexts("keys", options.keys);
  if (options.counter !== undefined) checkCounter(options.counter);
}

/** The limits that these options set, checked. */
export function budgetOf(options: HandoffOptions): Budget {
  const family = parseFamily(options.family ?? "claude");
  const maxChars = checkSize("maxChars", options.maxChars);
  // Both are checked, also the one that does not count.
  const level = sizeOf(options.level);
  const named = checkSize("maxTokens", options.maxTokens) ?? level;
  const maxTokens = named ?? (maxChars === undefined ? LEVELS.compact : undefined);
  return { family, maxTokens, maxChars, counter: options.counter };
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
