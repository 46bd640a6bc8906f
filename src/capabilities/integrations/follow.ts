import { isCheckpointError, messageOf } from "../../core/errors.ts";
import { formatDuration } from "../../core/text/duration.ts";
import { own } from "../../core/text/untrusted.ts";
import { readCursor } from "../../work/project/feed/cursors.ts";
import type { FeedEvent } from "../../work/project/feed/feed-event.ts";
import { openFeed } from "../../work/project/feed/feed.ts";
import { endCursor } from "../../work/project/feed/position.ts";
import { keepDead } from "./dead-letters.ts";
import type { IntegrationWorld, Outlet } from "./integration.ts";
import type { FailureKind } from "./request.ts";

/** How long to wait before each further attempt. */
const RETRY_MS = [1_000, 5_000, 30_000, 120_000, 300_000];
const MOST_WAIT_MS = 3_600_000;
/** How many events are read at once, and how many of them at once are a flood. */
const MOST = 500;
const FLOOD = 5;
/** How often it looks for news. */
const LOOK_MS = 300;

/**
 * Hands an outlet what happens, in order, until the signal or until it cannot go on without a person. An event is
 * acknowledged once it has arrived, or was put aside as a dead letter: one whose process was killed in between arrives again,
 * with the same id. An outlet that is new begins with what happens from now on.
 */
export async function follow(world: IntegrationWorld, outlet: Outlet): Promise<"stopped" | "ended"> {
  const { project, signal } = world;
  const as = `integrations.${outlet.name}`;
  const feedOf = () => openFeed(project, { as, kinds: outlet.kinds, signal });
  const first = await feedOf();
  const store = await first.store();
  if ((await readCursor(store, as)) === undefined) await first.acknowledge(await endCursor(store));
  while (!signal.aborted) {
    const feed = await feedOf().catch(undefinedIfAway);
    let batch: FeedEvent[] = [];
    let last: FeedEvent | undefined;
    const hand = async () => {
      for (const { events, upTo } of handsOf(outlet, batch)) {
        await deliver(world, outlet, events);
        await feed?.acknowledge(upTo);
      }
      if (last !== undefined && last !== batch.at(-1)) await feed?.acknowledge(last);
      batch = [];
      last = undefined;
    };
    try {
      for await (const event of feed ?? []) {
        last = event;
        if (outlet.wants?.(event) !== false) batch.push(event);
        if (batch.length >= MOST) await hand();
      }
      await hand();
    } catch (error) {
      if (signal.aborted) break;
      if (kindOf(error) !== "stops") throw error;
      const hint = isCheckpointError(error) ? ` ${error.hint}` : "";
      world.tell(`${outlet.name} has stopped: ${messageOf(error)}${hint}`);
      return "stopped";
    }
    await world.wait(LOOK_MS);
  }
  return "ended";
}

/** Events that are delivered together, and how far the outlet has come then. */
interface Hand {
  readonly events: readonly FeedEvent[];
  readonly upTo: FeedEvent;
}

function handsOf({ takes }: Outlet, batch: readonly FeedEvent[]): Hand[] {
  const last = batch.at(-1);
  if (last === undefined) return [];
  if (takes === "latest") return [{ events: latestOfTrails(batch), upTo: last }];
  if (takes === "flood" && batch.length > FLOOD) return [{ events: batch, upTo: last }];
  return batch.map((event) => ({ events: [event], upTo: event }));
}

const latestOfTrails = (events: readonly FeedEvent[]): FeedEvent[] => [
  ...new Map(events.map((event) => [event.trail, event])).values(),
];

async function deliver(world: IntegrationWorld, outlet: Outlet, events: readonly FeedEvent[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await outlet.deliver(events);
    } catch (error) {
      const kind = kindOf(error);
      if (kind === "stops" || world.signal.aborted) throw error;
      const planned = RETRY_MS[attempt - 1];
      const reason = messageOf(error);
      if (kind === "dead" || planned === undefined) {
        world.tell(`${outlet.name}: ${reason} Put aside: checkpoint integrations dead`);
        return keepDead(
          world.project,
          events.map((event) => ({ outlet: outlet.name, reason, attempts: attempt, event })),
        );
      }
      const asked = own(isCheckpointError(error) ? error.details : undefined, "retry_after_ms");
      const waitMs = Math.min(typeof asked === "number" ? Math.max(asked, planned) : planned, MOST_WAIT_MS);
      world.tell(`${outlet.name}: ${reason} Trying again in ${formatDuration(waitMs)}.`);
      await world.wait(waitMs);
      world.signal.throwIfAborted();
    }
  }
}

/** What is no answer of the other side is a mistake of ours, or a store that cannot be read: neither is retried. */
function kindOf(error: unknown): FailureKind | undefined {
  return isCheckpointError(error) ? (own(error.details, "kind") as FailureKind | undefined) : undefined;
}

/** A store that is being replaced comes back. */
function undefinedIfAway(error: unknown): undefined {
  if (!isCheckpointError(error) || error.code === "corrupt") throw error;
}
