import { CheckpointError } from "../errors.ts";
import type { Budget, Meter } from "./meter.ts";
import type { Problem } from "./problem.ts";
import { takeEssentials } from "./select.ts";
import { Selection } from "./selection.ts";

/** Enough to see what it is about; the details have all. */
const MOST_NAMED = 6;

/** The error that says which essentials a budget cannot hold, and which budget could. */
export function tooSmall(
  problem: Problem,
  missing: readonly string[],
  budget: Budget,
  meter: Meter,
): CheckpointError {
  const whole = new Selection(problem);
  takeEssentials(
    problem,
    whole,
    problem.limits.map(() => Infinity),
  );
  const tokens = meter.tokensOf(whole.size);
  const chars = budget.maxChars === undefined ? undefined : Math.ceil(whole.size.at(-1)! / 1000);
  const isTokens = tokens !== undefined && tokens > budget.maxTokens!;
  const [needed, limit, units] = isTokens
    ? [tokens, budget.maxTokens, "tokens"]
    : [chars, budget.maxChars, "characters"];
  const flags = [
    ...(isTokens ? [`--max-tokens ${tokens}`] : []),
    ...(chars !== undefined && chars > budget.maxChars! ? [`--max-chars ${chars}`] : []),
  ];
  return new CheckpointError(
    "budget",
    `The essentials need ${needed} ${units}, more than the ${limit} that are allowed${missingPart(missing)}.`,
    {
      hint: `checkpoint summary ${flags.join(" ")}`,
      details: { needed, limit, units, family: budget.family, missing },
    },
  );
}

function missingPart(missing: readonly string[]): string {
  if (missing.length === 0) return "";
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : "";
  return `, so these are missing: ${missing.slice(0, MOST_NAMED).join(", ")}${more}`;
}
