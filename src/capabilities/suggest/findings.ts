import { hash } from "node:crypto";
import type { Facts, RuleFinding, SuggestionRule } from "./rule.ts";

/** What the rules find on one trail, the most useful first. */
export function findingsOf(
  facts: Facts,
  rules: readonly SuggestionRule[],
): { readonly id: string; readonly rule: SuggestionRule; readonly finding: RuleFinding }[] {
  return rules.flatMap((rule) =>
    rule.find(facts).map((finding) => ({ id: idOf(rule, facts, finding), rule, finding })),
  );
}

function idOf(rule: SuggestionRule, { trail }: Facts, { key }: RuleFinding): string {
  return `${rule.id}-${hash("sha256", JSON.stringify([trail, key])).slice(0, 8)}`;
}
