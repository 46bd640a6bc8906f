import { useEffect, useRef, useState } from "preact/hooks";

import type { StoreState } from "../../../work/project/store-state.ts";
import type { News } from "../live.ts";
import { isTabLeaving, readStream, Refused, serverGone } from "./api.ts";

/** What the tab that reads the stream tells the others; undefined once the server is gone. */
type Told = News | undefined;

/** Called with the trails that moved, and whether the store is another one than before, or in another state. */
type Listener = (trails: readonly string[], hasTurned: boolean) => void;

const listeners = new Set<Listener>();

/** How long to wait before another tab is asked to read. */
const AGAIN_MS = 500;

/**
 * Follows the store's commits until the server is gone. One tab reads for all: a browser keeps only six connections to a
 * server, and each stream takes one for good.
 */
export async function follow(): Promise<void> {
  const tabs = new BroadcastChannel("cairn-live");
  tabs.addEventListener("message", ({ data }: MessageEvent<Told>) => {
    if (data === undefined) serverGone();
    tell(data);
  });
  const tellAll = (told: Told) => {
    tell(told);
    tabs.postMessage(told);
  };
  const read = async () => {
    const error = await readStream(tellAll).catch((reason: unknown) => reason);
    // With a key that is not valid this tab cannot read for others.
    if (error instanceof Refused || isTabLeaving()) return;
    serverGone();
    tellAll(undefined);
  };
  while (!isStopped()) {
    await navigator.locks.request("cairn-live", async () => (isStopped() ? undefined : read()));
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Undefined until the first sign of life. */
let stateNow: PageState | undefined;

/** How the store is, or that the server is gone. */
export type PageState = StoreState | "stopped";

const isStopped = () => stateNow === "stopped";

function tell(told: Told): void {
  const before = stateNow;
  stateNow = told?.store ?? "stopped";
  const trails = told?.trails ?? [];
  if (trails.length > 0 || before !== stateNow)
    for (const listener of listeners) listener(trails, before !== stateNow);
}

function useNews(onNews: Listener): void {
  // After every drawing, because what it listens for may be another trail by then.
  useEffect(() => {
    listeners.add(onNews);
    return () => void listeners.delete(onNews);
  });
}

/** How what the page shows is at this moment; undefined at the very beginning. */
export function usePageState(): PageState | undefined {
  const [state, setState] = useState(stateNow);
  useNews(() => setState(stateNow));
  return state;
}

/** How long a move waits for others: many commits in a row are one reason to look again. */
const GATHER_MS = 40;

/** A number that rises when something was committed to the trails that the test names. */
export function useMoves(concerns: (trail: string) => boolean): number {
  const [moves, setMoves] = useState(0);
  const gathering = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useNews((trails, hasTurned) => {
    // What happened before the stream began, or while the store was away, is read again.
    if (!hasTurned && !trails.some(concerns)) return;
    gathering.current ??= setTimeout(() => {
      gathering.current = undefined;
      setMoves((count) => count + 1);
    }, GATHER_MS);
  });
  return moves;
}
