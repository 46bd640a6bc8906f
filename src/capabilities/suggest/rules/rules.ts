import type { SuggestionRule } from "../rule.ts";
import { brokenSince } from "./broken-since.ts";
import { hiddenFailure } from "./hidden-failure.ts";
import { readAgain } from "./read-again.ts";
import { refusals } from "./refusals.ts";
import { uncommitted } from "./uncommitted.ts";
import { WORK_RULES } from "./work-rules.ts";

/** Every rule, the most useful first: of a trail's suggestions the first ones are told. */
export const RULES: readonly SuggestionRule[] = [
  brokenSince,
  uncommitted,
  hiddenFailure,
  ...WORK_RULES,
  refusals,
  readAgain,
];
