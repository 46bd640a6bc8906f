import type { Policy } from "./policy.ts";

/** A line of a policy as people read it, and whether the new one has it, or only the old one. */
export interface PolicyChange {
  readonly kind: "same" | "removed" | "added";
  readonly line: string;
}

/** What changes from one policy to another, line by line, in order: the first rule that matches counts. */
export function policyChanges(from: Policy, to: Policy): PolicyChange[] {
  return changedLines(linesOf(from), linesOf(to));
}

/** Longer ones are compared as a whole: the table would take too much memory. */
const MOST_LINES = 2000;

function linesOf({ actions, budget_per_hour, promotions }: Policy): string[] {
  return [
    ...actions.map((rule) => `action ${fieldsOf(rule)}`),
    ...budget_per_hour.map((budget, tier) => `budget of T${tier}: ${budget} actions an hour`),
    ...promotions.map((rule) => `promotion ${fieldsOf(rule)}`),
  ];
}

/** What is not said is what holds without it, so that leaving it out is seen. */
function fieldsOf(rule: object): string {
  const entries = Object.entries(rule).filter(([, value]) => value !== undefined);
  return entries
    .toSorted(([one], [other]) => ORDER.indexOf(one) - ORDER.indexOf(other))
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(" ") : String(value)}`)
    .join(", ");
}

const ORDER = [
  "match",
  "tier",
  "risk",
  "approval",
  "approvers",
  "clean_tree",
  "needs",
  "to",
  "clean_actions",
  "hours",
  "evidence",
];

/** By the longest common subsequence. */
function changedLines(from: readonly string[], to: readonly string[]): PolicyChange[] {
  const all = (kind: PolicyChange["kind"], lines: readonly string[]) => lines.map((line) => ({ kind, line }));
  if (from.length > MOST_LINES || to.length > MOST_LINES)
    return [...all("removed", from), ...all("added", to)];
  const common = commonLengths(from, to);
  const changes: PolicyChange[] = [];
  let [at, next] = [0, 0];
  while (at < from.length && next < to.length) {
    const [old = "", fresh = ""] = [from[at], to[next]];
    if (old === fresh) {
      changes.push({ kind: "same", line: old });
      at++;
      next++;
    } else if ((common[at + 1]?.[next] ?? 0) >= (common[at]?.[next + 1] ?? 0)) {
      changes.push({ kind: "removed", line: old });
      at++;
    } else {
      changes.push({ kind: "added", line: fresh });
      next++;
    }
  }
  return [...changes, ...all("removed", from.slice(at)), ...all("added", to.slice(next))];
}

function commonLengths(from: readonly string[], to: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1));
  for (let at = from.length - 1; at >= 0; at--)
    for (let next = to.length - 1; next >= 0; next--) {
      const [row, below] = [lengths[at] as Uint16Array, lengths[at + 1] as Uint16Array];
      row[next] =
        from[at] === to[next] ? (below[next + 1] ?? 0) + 1 : Math.max(below[next] ?? 0, row[next + 1] ?? 0);
    }
  return lengths;
}
