import { CheckpointError } from "../errors.ts";
import type { Budget } from "./meter.ts";
import type { Problem } from "./problem.ts";
import { takeEssentials } from "./select.ts";
import { Selection } from "./selection.ts";

/** The error that says which essentials a budget cannot hold, and which budget could. */
export function tooSmall(problem: Problem, missing: readonly string[], budget: Budget): CheckpointError {
  const whole = new Selection(problem);
  takeEssentials(
    problem,
    whole,
    problem.limits.map(() => Infinity),
  );
  const units = budget.maxTokens === undefined ? "characters" : "tokens";
  const limit = budget.maxTokens ?? budget.maxChars;
  const needed = Math.ceil(whole.size[0]! / 1000);
  const what = missing.length === 0 ? "" : `, so these are missing: ${missing.join(", ")}`;
  return new CheckpointError(
    "budget",
    `The essentials need ${needed} ${units}, more than the ${limit} that are allowed${what}.`,
    {
      hint: `checkpoint summary ${units === "tokens" ? "--max-tokens" : "--max-chars"} ${needed}`,
      details: { needed, limit, units, family: budget.family, missing },
    },
  );
}
