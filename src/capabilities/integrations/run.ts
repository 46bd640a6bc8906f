import { CheckpointError } from "../../core/errors.ts";
import { follow } from "./follow.ts";
import type { Integration, IntegrationWorld, Outlet } from "./integration.ts";

/** Tells each outlet what happens, all at once, until the signal. One that stops does not stop the others; returns those. */
export async function runOutlets(world: IntegrationWorld, outlets: readonly Outlet[]): Promise<string[]> {
  const ends = await Promise.all(
    outlets.map(async (outlet) => [outlet.name, await follow(world, outlet)] as const),
  );
  return ends.filter(([, end]) => end === "stopped").map(([name]) => name);
}

/** Every outlet that is configured. */
export async function outletsOf(
  world: IntegrationWorld,
  all: readonly Integration[],
): Promise<readonly Outlet[]> {
  const outlets = (await Promise.all(all.map((each) => each.outlets(world)))).flat();
  if (outlets.length > 0) return outlets;
  throw new CheckpointError("usage", "No integration is configured that this build has.", {
    hint: "docs/integrations.md",
  });
}
