import { trailPart } from "../../work/sessions/session.ts";

/** The beginning of the names of all trails of threads. */
export const THREADS = "thread/";

/** The trail of a thread, or of a subgraph's namespace in it. */
export function trailOf(thread: string, namespace: string): string {
  return namespace === ""
    ? `${THREADS}${trailPart(thread)}`
    : `${belowThread(thread)}${trailPart(namespace)}`;
}

/** The beginning of the names of the trails of a thread's subgraphs. */
export const belowThread = (thread: string) => `${THREADS}${trailPart(thread)}/`;
