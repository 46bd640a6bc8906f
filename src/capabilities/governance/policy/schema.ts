import * as z from "zod";
import { isAnswer, type Policy } from "./policy.ts";

const tier = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);

const actionRule = z
  .strictObject({
    match: z
      .string()
      .regex(/^[\w.*-]{1,100}$/)
      .refine((pattern) => pattern.split("*").length <= 4, "At most three * in a pattern."),
    tier,
    risk: z.enum(["low", "high"]).optional(),
    approval: z.enum(["none", "person", "authority"]).optional(),
    approvers: z.array(z.string().min(1).max(80)).max(32).optional(),
    clean_tree: z.boolean().optional(),
    needs: z.array(z.string().min(1)).max(32).optional(),
  })
  .refine(
    ({ match, approvers }) => approvers === undefined || isAnswer(match),
    'approvers belong to a rule whose match begins with "answer.".',
  );

const promotionRule = z.strictObject({
  to: tier,
  clean_actions: z.int().min(1),
  hours: z.number().min(0).optional(),
  evidence: z.int().min(0).optional(),
});

/** A policy file. Actions that no rule matches are denied. */
export const POLICY = z.strictObject({
  actions: z.array(actionRule).min(1).max(500),
  budget_per_hour: z.array(z.int().min(0)).length(5).optional(),
  promotions: z.array(promotionRule).max(50).optional(),
});

/** What is wrong with a policy, or the policy as it would be in force. */
export function parsePolicy(value: unknown, otherwise: Policy): { policy: Policy } | { problem: string } {
  const parsed = POLICY.safeParse(value);
  if (parsed.success) return { policy: { ...otherwise, ...parsed.data } as Policy };
  const [first] = parsed.error.issues;
  return { problem: `${first?.path.join(".") || "(root)"}: ${first?.message ?? "not a policy"}` };
}
