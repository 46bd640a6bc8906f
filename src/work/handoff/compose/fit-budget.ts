import { CheckpointError } from "../../../core/errors.ts";
import { bareTexts } from "../frame/frame.ts";
import type { Budget } from "../options.ts";
import { countTokens } from "../tokens/token-counter.ts";
import { compose, type Composed, type Room, roomForAll } from "./compose.ts";
import type { Prepared } from "./prepare.ts";

/** So close to its budget a text is full. */
const FULL = 0.99;
const MOST_TRIES = 9;
/** What essentials that do not fit are cut to at most, and at least. */
const [LONGEST, SHORTEST] = [4000, 25];

/**
 * The fullest briefing within the budget: everything essential, and as much of the rest as there is room for. If the
 * essentials do not fit, `shrink` cuts them short, or leaves the commands alone.
 */
export function fitBudget(prepared: Prepared, budget: Budget, shrink: boolean): Composed {
  const least = compose(prepared, { optional: 0 });
  if (shareOf(least.text, budget) > 1)
    return shrink ? shrunk(prepared, budget) : refuse(prepared, least, budget);
  const all = roomForAll(prepared);
  let [low, high, best] = [0, all, least];
  let optional = all;
  for (let tries = 0; tries < MOST_TRIES && high - low > 1; tries += 1) {
    const tried = compose(prepared, { optional });
    const share = shareOf(tried.text, budget);
    if (share <= 1) {
      [low, best] = [optional, longer(tried, best)];
      if (share >= FULL || optional === all) break;
    } else high = optional;
    // Text grows with its room, if not evenly: where it should just fit, but always inside what is known.
    const guess = optional * (share > 1 ? 0.97 / share : 1 + (0.995 - share) * 1.2);
    optional = Math.min(low + (high - low) * 0.9, Math.max(low + (high - low) * 0.1, guess));
  }
  return best;
}

const longer = (one: Composed, other: Composed) => (one.text.length >= other.text.length ? one : other);

/** The largest part of any limit that a text takes; above 1 it is too long. */
function shareOf(text: string, { family, maxTokens, maxChars, counter }: Budget): number {
  const tokens = maxTokens === undefined ? 0 : countTokens(text, family, counter).upper / maxTokens;
  return Math.max(tokens, maxChars === undefined ? 0 : text.length / maxChars);
}

/** The essentials in less room than they need: long ones pay, short ones stay whole; then only the most important ones. */
function shrunk(prepared: Prepared, budget: Budget): Composed {
  const composed = (room: Partial<Room>) => compose(prepared, { optional: 0, ...room });
  const fits = (room: Partial<Room>) => shareOf(composed(room).text, budget) <= 1;
  if (fits({ longest: SHORTEST })) {
    const longest = largest(LONGEST, (length) => fits({ longest: length }));
    return composed({ longest: Math.max(longest, SHORTEST) });
  }
  const count = prepared.sections.reduce((sum, { essential }) => sum + essential.length, 0);
  const essentials = largest(count, (most) => fits({ longest: SHORTEST, essentials: most }));
  if (fits({ longest: SHORTEST, essentials })) return composed({ longest: SHORTEST, essentials });
  const bare = bareTexts(prepared.frame).find((text) => shareOf(text, budget) <= 1);
  if (bare === undefined) return refuse(prepared, composed({}), budget);
  return { text: bare, shown: new Map() };
}

/** The largest number up to `most` for which it is true, if it is true for all smaller ones. */
function largest(most: number, isTrue: (count: number) => boolean): number {
  let [good, bad] = [0, most + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isTrue(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** Enough to see what it is about; the details list all. */
const MOST_NAMED = 6;

/** The error that names the essentials which do not fit, and a budget that would do. */
function refuse(prepared: Prepared, { text, shown }: Composed, budget: Budget): never {
  const { family, maxTokens, maxChars, counter } = budget;
  const ids = [...shown.keys()].toSorted((a, b) => b.value - a.value).map(({ id }) => id);
  const kept = largest(
    ids.length,
    (essentials) => shareOf(compose(prepared, { optional: 0, essentials }).text, budget) <= 1,
  );
  const missing = ids.slice(kept);
  const tokens = maxTokens === undefined ? 0 : Math.ceil(countTokens(text, family, counter).upper);
  const isTokens = maxTokens !== undefined && tokens > maxTokens;
  const [needed, limit, units] = isTokens
    ? [tokens, maxTokens, "tokens"]
    : [text.length, maxChars, "characters"];
  const flags = [
    ...(maxTokens === undefined ? [] : [`--max-tokens ${Math.max(maxTokens, tokens)}`]),
    ...(maxChars === undefined ? [] : [`--max-chars ${Math.max(maxChars, text.length)}`]),
    ...(family === "claude" ? [] : [`--family ${family}`]),
  ];
  const named = missing.slice(0, MOST_NAMED).join(", ");
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : "";
  throw new CheckpointError(
    "budget",
    `The essentials need ${needed} ${units}, more than the ${limit} that are allowed${named === "" ? "" : `, so these are missing: ${named}${more}`}.`,
    { hint: `checkpoint summary ${flags.join(" ")}`, details: { needed, limit, units, family, missing } },
  );
}
