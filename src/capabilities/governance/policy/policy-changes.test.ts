import { expect, it } from "vitest";
import { DEFAULT_POLICY } from "./policy.ts";
import { policyChanges } from "./policy-changes.ts";

const { actions } = DEFAULT_POLICY;

it("names rules that come, go, change and move, and budgets and promotions", () => {
  expect(policyChanges(DEFAULT_POLICY, DEFAULT_POLICY).every(({ kind }) => kind === "same")).toBe(true);
  const changed = {
    actions: [{ match: "*", tier: 0 as const }, ...actions.slice(0, -2)],
    budget_per_hour: [600, 1200, 2400, 2400, 9999],
    promotions: [{ to: 3 as const, clean_actions: 1 }],
  };
  const changes = policyChanges(DEFAULT_POLICY, changed).filter(({ kind }) => kind !== "same");
  expect(changes.map(({ kind, line }) => `${kind} ${line}`)).toEqual([
    "added action match: *, tier: 0",
    "removed action match: exec.*, tier: 2",
    "removed action match: admin.*, tier: 4, risk: high, approval: authority",
    "removed budget of T4: 2400 actions an hour",
    "removed promotion to: 1, clean_actions: 10",
    "added budget of T4: 9999 actions an hour",
    "added promotion to: 3, clean_actions: 1",
  ]);
});
