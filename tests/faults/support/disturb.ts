import { join } from "node:path";
import { expect } from "vitest";

import type { Told } from "../programs/writer.ts";
import { start, type Ended } from "./child.ts";
import { hasStruck, injecting, pointsOf, recording, type Fault, type Point } from "./strace.ts";

/** The writer program and what it is to do, in a new folder each time. */
export interface Job {
  readonly program: string;
  readonly operations: readonly string[];
  readonly newFolder: () => string;
}

/** Runs a job undisturbed, to learn where it can be disturbed. It may end by its own hand. */
export async function pointsIn({ program, operations, newFolder }: Job): Promise<Point[]> {
  const folder = newFolder();
  const [log, store] = [join(folder, "strace.log"), join(folder, "store")];
  const wrapper = recording(log, store);
  const { status, stderr } = await start<Told>(program, [store, ...operations], { wrapper }).ended();
  const isSuicide = operations.at(-1) === "die";
  expect({ status, stderr }).toEqual({ status: isSuicide ? null : 0, stderr: "" });
  return pointsOf(log);
}

/** Runs a job with a fault at one point. Fails when the fault did not strike there. */
export async function disturb(
  { program, operations, newFolder }: Job,
  point: Point,
  fault: Fault,
): Promise<Ended<Told> & { readonly store: string }> {
  const folder = newFolder();
  const [log, store] = [join(folder, "strace.log"), join(folder, "store")];
  const wrapper = injecting(log, store, point, fault);
  const ended = await start<Told>(program, [store, ...operations], { wrapper }).ended();
  expect(hasStruck(log, point), `${fault.kind} must strike at ${JSON.stringify(point)}`).toBe(true);
  return { ...ended, store };
}
