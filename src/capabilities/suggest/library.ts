/** What the record suggests to do next, for programs, and for rules of their own. */
export type { Evidence, Facts, RuleFinding, SuggestionRule } from "./rule.ts";
export { RULES } from "./rules/rules.ts";
export { suggest, type Suggestion, type SuggestionList } from "./suggest.ts";
export { suggestDismiss, type Dismissed } from "./suggest-dismiss.ts";
