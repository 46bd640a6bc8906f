import { CheckpointError } from "../../../core/errors.ts";
import type { Claimant } from "../state/standing.ts";
import type { GateQuestion } from "./decide.ts";

/** The longest that goes into the ledger, which is never pruned. */
const LONGEST_NAME = 80;
const LONGEST_ACTION = 200;
const LONGEST_REASON = 2000;

/** Refuses names that are too long before anything is recorded of them. */
export function assertSizes(
  { agent = "" }: Claimant,
  { action, alias = "", digest = "" }: GateQuestion,
): void {
  assertShort("The name of an agent", agent, LONGEST_NAME);
  for (const name of [action, alias, digest]) assertShort("The name of an action", name, LONGEST_ACTION);
}

export const assertReason = (reason: string) => assertShort("A reason", reason, LONGEST_REASON);

function assertShort(what: string, text: string, longest: number): void {
  if (text.length <= longest) return;
  throw new CheckpointError(
    "usage",
    `${what} has at most ${longest} characters; this one has ${text.length}.`,
    {
      hint: `It begins with "${text.slice(0, 40)}". Choose a shorter one.`,
      details: { length: text.length, longest },
    },
  );
}
