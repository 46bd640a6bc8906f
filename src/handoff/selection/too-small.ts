import { CheckpointError } from "../../errors.ts";
import type { Budget } from "../tokens/meter.ts";
import type { SelectionProblem } from "./problem.ts";
import { takeEssentials } from "./select.ts";
import { Selection } from "./selection.ts";

/** Enough to see what it is about; the details list all. */
const MOST_NAMED = 6;

/** The error that names the essentials which do not fit, and a budget that would do. */
export function tooSmall(
  problem: SelectionProblem,
  missing: readonly string[],
  budget: Budget,
): CheckpointError {
  const whole = new Selection(problem);
  const unlimited = problem.limits.map(() => Infinity);
  takeEssentials(problem, whole, unlimited);
  // Relative to the limits of this attempt, which may be lower than the ones given.
  const lack = whole.size.map((size, at) => Math.ceil((size - problem.limits[at]!) / 1000));
  const { maxTokens, maxChars, family } = budget;
  const lackingChars = maxChars === undefined ? 0 : lack.at(-1)!;
  const lackingTokens = Math.max(0, ...(maxChars === undefined ? lack : lack.slice(0, -1)));
  const [needed, limit, units] =
    maxTokens !== undefined && lackingTokens > 0
      ? [maxTokens + lackingTokens, maxTokens, "tokens"]
      : [maxChars! + lackingChars, maxChars, "characters"];
  const flags = [
    ...(maxTokens === undefined ? [] : [`--max-tokens ${maxTokens + lackingTokens}`]),
    ...(maxChars === undefined ? [] : [`--max-chars ${maxChars + Math.max(0, lackingChars)}`]),
  ];
  return new CheckpointError(
    "budget",
    `The essentials need ${needed} ${units}, more than the ${limit} that are allowed${missingPart(missing)}.`,
    {
      hint: `The same with ${flags.join(" ")} would do.`,
      details: { needed, limit, units, family, missing },
    },
  );
}

function missingPart(missing: readonly string[]): string {
  if (missing.length === 0) return "";
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : "";
  return `, so these are missing: ${missing.slice(0, MOST_NAMED).join(", ")}${more}`;
}
