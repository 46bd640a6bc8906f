import type { Trail } from "../../core/trails/trail.ts";
import type { Cairn } from "../../work/state/cairn.ts";

/** What a capability keeps as the whole state of a trail, and the trail that takes the next state: unless another process was quicker. */
export async function openOwnTrail<State extends object>(
  cairn: Cairn,
  name: string,
  initial: State,
): Promise<{ readonly trail: Trail<State>; readonly state: State }> {
  const trail = cairn.trail<State>(name, { initial });
  const isThere = (await cairn.store.head(name)) !== undefined;
  return { trail, state: isThere ? (await trail.load()).state : initial };
}
