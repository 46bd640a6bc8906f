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

/** What a value has to be, as a test and in words. */
type Form = readonly [isRight: (value: unknown) => boolean, wanted: string];

const oneOf = (words: readonly string[]): Form => [
  (value) => words.includes(value as string),
  `one of ${words.join(", ")}`,
];
const SIZE: Form = [(value) => Number.isSafeInteger(value) && Number(value) > 0, "a whole number above 0"];
export const TEXT: Form = [(value) => typeof value === "string", "a text"];
/** A single text would be taken for a list of its letters. */
export const TEXTS: Form = [(value) => Array.isArray(value) && value.every(TEXT[0]), "a list of texts"];
const COUNTER: Form = [
  (value) => {
    const { name, count } = Object(value) as Partial<TokenCounter>;
    return typeof name === "string" && typeof count === "function";
  },
  'a counter such as { name: "mine", count: (text) => 1 }',
];

const FORMS: Readonly<Record<keyof HandoffOptions, Form>> = {
  format: oneOf(["markdown", "plain", "json"]),
  audience: oneOf(["next-agent", "subagent"]),
  level: oneOf(Object.keys(LEVELS)),
  family: oneOf([...FAMILIES, "any"]),
  maxTokens: SIZE,
  maxChars: SIZE,
  shrink: [(value) => typeof value === "boolean", "true or false"],
  counter: COUNTER,
  for: TEXT,
  keys: TEXTS,
};

/** Throws `usage` for an invalid value, so that callers without types notice their typing errors. */
export function checkForm(name: string, value: unknown, [isRight, wanted]: Form): void {
  if (value === undefined || isRight(value)) return;
  const found = (JSON.stringify(value) ?? typeof value).slice(0, 60);
  throw new CheckpointError("usage", `The option "${name}" is ${found}, where ${wanted} is needed.`, {
    hint: `Give ${wanted} for "${name}", or leave it out.`,
    details: { name },
  });
}

/** The limits that these options set. Throws `usage` if any option is invalid. */
export function budgetOf(options: HandoffOptions): Budget {
  for (const [name, form] of Object.entries(FORMS))
    checkForm(name, options[name as keyof HandoffOptions], form);
  const { family = "claude", maxTokens, maxChars, counter } = options;
  const level = levelOf(options);
  return { family, maxTokens: maxTokens ?? (level && LEVELS[level]), maxChars, counter };
}

/** The level that these options name, unless a size in tokens overrides it. */
export function levelOf({ level, maxTokens, maxChars }: HandoffOptions): Level | undefined {
  if (maxTokens !== undefined) return undefined;
  return level ?? (maxChars === undefined ? "compact" : undefined);
}
