import { useEffect, useState } from "preact/hooks";

import { readStream } from "./api.ts";

/** What the tab that reads the stream tells the others. */
interface News {
  readonly isLive: boolean;
  /** The trails that moved. */
  readonly trails: readonly string[];
}

/** Called with what is new, and whether the server is back after it was away. */
type Listener = (news: News, isBack: boolean) => void;

const listeners = new Set<Listener>();

/** How long to wait before the server is looked for again. */
const AGAIN_MS = 500;

/**
 * Follows the store's commits as long as the page is open; a server that is started again is found again. One tab reads
 * for all: a browser keeps only six connections to a server, and each stream takes one for good.
 */
export async function follow(): Promise<void> {
  const tabs = new BroadcastChannel("cairn-live");
  tabs.addEventListener("message", ({ data }: MessageEvent<News | "?">) => {
    if (data !== "?") tell(data);
    else if (isLiveNow) tabs.postMessage({ isLive: true, trails: [] } satisfies News);
  });
  // A tab that is opened later need not wait for the next sign of life.
  tabs.postMessage("?");
  const tellAll = (news: News) => {
    tell(news);
    tabs.postMessage(news);
  };
  await navigator.locks.request("cairn-live", async () => {
    for (;;) {
      // Why a stream ended does not matter: the sign in the side bar tells, until it is back.
      await readStream((trails) => tellAll({ isLive: true, trails })).catch(() => undefined);
      tellAll({ isLive: false, trails: [] });
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  });
}

/** Undefined until the first sign of life. */
let isLiveNow: boolean | undefined;

function tell(news: News): void {
  const wasLive = isLiveNow;
  isLiveNow = news.isLive;
  if (news.trails.length > 0 || wasLive !== isLiveNow)
    for (const listener of listeners) listener(news, wasLive === false && isLiveNow);
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

/** A number that rises when something was committed: to any trail, or to those that the test names. */
export function useMoves(concerns: (trail: string) => boolean = () => true): number {
  const [moves, setMoves] = useState(0);
  useNews(({ trails }, isBack) => {
    // Whatever happened while the server was away is read again.
    if (isBack || trails.some(concerns)) setMoves((count) => count + 1);
  });
  return moves;
}
