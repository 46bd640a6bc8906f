import type { PhaseStatus } from "../../state/work-state.ts";

/** A plan may also skip a phase: then it is neither done nor the current one. */
export type PlanStatus = PhaseStatus | "skipped";

/** What people write after a heading or after `Status:`; the first match wins. */
const WORDS: readonly (readonly [RegExp, PlanStatus])[] = [
  [/\b(?:not started|not done|incomplete|to ?do|pending|planned|upcoming|open)\b/, "pending"],
  [/\b(?:in[ _-]?progress|wip|ongoing|started|current|active|doing|partial|partially)\b/, "in_progress"],
  [/\b\d{1,2} ?%/, "in_progress"],
  [/\b(?:complete|completed|done|finished|shipped)\b/, "completed"],
  [/\b(?:blocked|on hold|waiting)\b/, "blocked"],
  [/\b(?:failed)\b/, "failed"],
  [/\b(?:skipped|cancell?ed|dropped|deferred|superseded)\b/, "skipped"],
];

const SIGNS: Readonly<Partial<Record<PlanStatus, string>>> = {
  completed: "✅☑✔✓🟢",
  in_progress: "🚧🔄🟡⏳🔨",
  blocked: "⛔🚫",
  failed: "❌",
  pending: "⬜☐📋",
  skipped: "⏭",
};
const STATUS_OF = new Map(
  Object.entries(SIGNS).flatMap(([status, signs]) =>
    Array.from(signs, (sign) => [sign, status as PlanStatus]),
  ),
);
const SIGN = new RegExp(`[${Object.values(SIGNS).join("")}]`, "u");

/** The status that a sign or a ticked box stands for. An empty box says nothing: what is below decides. */
export function statusBySign(text: string): PlanStatus | undefined {
  const sign = SIGN.exec(text)?.[0];
  if (sign !== undefined) return STATUS_OF.get(sign);
  return /\[[xX]\]/.test(text) ? "completed" : undefined;
}

/** The status that a few words name. Not for whole headings, which are mostly a name. */
export function statusByWord(text: string): PlanStatus | undefined {
  const lower = text.toLowerCase();
  return WORDS.find(([words]) => words.test(lower))?.[1];
}

/** A heading without signs, boxes, and the variation selectors that follow some signs. */
export function withoutSigns(text: string): string {
  return text
    .replace(new RegExp(SIGN, "gu"), "")
    .replaceAll(/\[[ xX]\]|\u{FE0F}|[*_`~]/gu, "")
    .replaceAll(/\p{Cc}/gu, " ")
    .trim();
}
