import type { TextSource } from "./corpus.ts";
import type { Random } from "./random.ts";

/** A message as agents keep them: an id that does not compress, a role, a time, text, and what it cost. */
export interface Message {
  readonly id: string;
  readonly role: "user" | "assistant" | "tool";
  readonly created_at: string;
  content: string;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}

/** The ten scalars of workloads A, B and D; the first three change with every step. */
export interface Scalars {
  step: number;
  updated_at: string;
  tokens_used: number;
  readonly goal: string;
  readonly model: string;
  readonly phase: string;
  readonly branch: string;
  readonly temperature: number;
  readonly max_steps: number;
  readonly dry_run: boolean;
}

export type ChangedScalars = Pick<Scalars, "step" | "updated_at" | "tokens_used">;

const START_MS = Date.UTC(2026, 0, 5, 9, 30);

export const INITIAL_SCALARS: Scalars = {
  step: 0,
  updated_at: timeOf(0),
  tokens_used: 0,
  goal: "Move the billing service to the new payment interface without downtime.",
  model: "claude-opus-4-5",
  phase: "implementation",
  branch: "feature/payment-interface",
  temperature: 0.2,
  max_steps: 5000,
  dry_run: false,
};

/** About 1 KB of JSON, most of it text from the corpus. */
export function newMessage(step: number, text: TextSource, random: Random): Message {
  return {
    id: `msg_${random.token(22)}`,
    role: random.pick(["user", "assistant", "assistant", "tool", "tool"]),
    created_at: timeOf(step),
    content: text(random.integer(620, 890)),
    usage: { input_tokens: random.integer(900, 90_000), output_tokens: random.integer(10, 900) },
  };
}

export function changedScalars(step: number, scalars: Scalars, random: Random): ChangedScalars {
  return { step, updated_at: timeOf(step), tokens_used: scalars.tokens_used + random.integer(200, 4000) };
}

/** The size of a value as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function timeOf(step: number): string {
  return new Date(START_MS + step * 41_377).toISOString();
}
