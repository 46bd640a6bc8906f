import { useEffect, useRef, useState } from "preact/hooks";

import { readStream, Refused } from "./api.ts";

/** What the tab that reads the stream tells the others. */
interface News {
  readonly isLive: boolean;
  /** The trails that moved. */
  readonly trails: readonly string[];
}

/** Called with what is new, and whether the stream has just begun. */
type Listener = (news: News, hasBegun: boolean) => void;

const listeners = new Set<Listener>();

/** How long to wait before the server is looked for again. */
const AGAIN_MS = 500;

/**
 * Follows the store's commits as long as the page is open; a server that is started again is found again. One tab reads
 * for all: a browser keeps only six connections to a server, and each stream takes one for good.
 */
export async function follow(): Promise<void> {
  const tabs = new BroadcastChannel("cairn-live");
  tabs.addEventListener("message", ({ data }: MessageEvent<News>) => tell(data));
  const tellAll = (news: News) => {
    tell(news);
    tabs.postMessage(news);
  };
  const wait = async () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  const read = async () => {
    for (;;) {
      const error = await readStream((trails) => tellAll({ isLive: true, trails })).catch(
        (reason: unknown) => reason,
      );
      // With an old key this tab cannot read for others.
      if (error instanceof Refused) return tell({ isLive: false, trails: [] });
      tellAll({ isLive: false, trails: [] });
      await wait();
    }
  };
  for (;;) {
    await navigator.locks.request("cairn-live", read);
    await wait();
  }
}

/** Undefined until the first sign of life. */
let isLiveNow: boolean | undefined;

function tell(news: News): void {
  const wasLive = isLiveNow;
  isLiveNow = news.isLive;
  if (news.trails.length > 0 || wasLive !== isLiveNow)
    for (const listener of listeners) listener(news, !wasLive && isLiveNow);
}

function useNews(onNews: Listener): void {
  // After every drawing, because what it listens for may be another trail by then.
  useEffect(() => {
    listeners.add(onNews);
    return () => void listeners.delete(onNews);
  });
}

/** Whether the page sees what happens at this moment; undefined at the very beginning. */
export function useIsLive(): boolean | undefined {
  const [isLive, setLive] = useState(isLiveNow);
  useNews(() => setLive(isLiveNow));
  return isLive;
}

/** How long a move waits for others: many commits in a row are one reason to look again. */
const GATHER_MS = 100;

/** A number that rises when something was committed to the trails that the test names. */
export function useMoves(concerns: (trail: string) => boolean): number {
  const [moves, setMoves] = useState(0);
  const gathering = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useNews(({ trails }, hasBegun) => {
    // What happened before the stream began is read again.
    if (!hasBegun && !trails.some(concerns)) return;
    gathering.current ??= setTimeout(() => {
      gathering.current = undefined;
      setMoves((count) => count + 1);
    }, GATHER_MS);
  });
  return moves;
}
