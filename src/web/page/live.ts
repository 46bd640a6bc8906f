import { useEffect, useState } from "preact/hooks";

import { readStream } from "./api.ts";

interface Moved {
  readonly sequence: number;
  readonly checkpoints: readonly { readonly trail: string; readonly checkpoint_id: string }[];
}

/** What the tab that reads the stream tells the others. */
type News = { readonly isLive: boolean } | { readonly moved: Moved };

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
  tabs.addEventListener("message", ({ data }: MessageEvent<News>) => tell(data));
  await navigator.locks.request("cairn-live", async () => {
    const tellAll = (news: News) => {
      tell(news);
      tabs.postMessage(news);
    };
    for (;;) {
      try {
        await readStream((event, data) => {
          if (event === "message") tellAll({ moved: JSON.parse(data) as Moved });
          // The heartbeat also tells tabs that were opened since.
          else tellAll({ isLive: true });
        });
      } catch {
        // The sign in the side bar tells, until it is back.
      }
      tellAll({ isLive: false });
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  });
}

/** Undefined until the first sign of life. */
let isLiveNow: boolean | undefined;

function tell(news: News): void {
  const wasLive = isLiveNow;
  isLiveNow = "moved" in news || news.isLive;
  if ("moved" in news || wasLive !== isLiveNow)
    for (const listener of listeners) listener(news, wasLive === false && isLiveNow);
}

function useNews(onNews: Listener): void {
  useEffect(() => {
    listeners.add(onNews);
    return () => void listeners.delete(onNews);
  }, []);
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
  useNews((news, isBack) => {
    // Whatever happened while the server was away is read again.
    const matters = "moved" in news && news.moved.checkpoints.some(({ trail }) => concerns(trail));
    if (matters || isBack) setMoves((count) => count + 1);
  });
  return moves;
}
