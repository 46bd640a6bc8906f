import type { JsonObject } from "../../core/objects/json.ts";
import { own } from "../../core/text/untrusted.ts";
import type { FeedNews, FeedSource } from "../../work/project/feed/feed-event.ts";
import { GOVERNANCE_TRAIL, type SharedState } from "./gate/governance.ts";
import { isEntry } from "./state/entry-shape.ts";

/** What the ledger says of rules and approvals, and which breakers opened and closed. */
export const governanceNews: FeedSource = {
  kinds: ["approval", "violation", "breaker"],
  reads: (trail) => trail === GOVERNANCE_TRAIL,
  ofCommit: (before, after) => breakerNews(breakersIn(before), breakersIn(after)),
  ofEntry({ entry, number }) {
    if (!isEntry(entry)) return undefined;
    // A signature proves an entry to those who read the ledger itself.
    const { type, at: _at, authority: _signature, on: _on, ...said } = entry;
    const details: JsonObject = { number, ...said };
    if (type === "violation") return { kind: "violation", type, details };
    return type === "request" || type === "approval" ? { kind: "approval", type, details } : undefined;
  },
};

type Breakers = SharedState["breakers"];

const breakersIn = (state: JsonObject | undefined) => (own(state, "breakers") ?? {}) as Breakers;

function breakerNews(before: Breakers, after: Breakers): FeedNews[] {
  return Object.keys(after).flatMap((dependency) => {
    const isNow = isOpen(own(after, dependency));
    if (isNow === isOpen(own(before, dependency))) return [];
    return [{ kind: "breaker", type: isNow ? "breaker-opened" : "breaker-closed", dependency }];
  });
}

/** As cockatiel keeps it: 0 is closed, 1 open. */
const isOpen = (breaker: unknown) => own(own(breaker, "ownState"), "value") === 1;
