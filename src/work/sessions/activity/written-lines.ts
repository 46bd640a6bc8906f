import { hash } from "node:crypto";
import type { Activity } from "../../state/activity.ts";
import type { EditEntry } from "../events/transcript-entry.ts";

/** Shorter lines are written again and again. */
const SHORTEST = 25;
/** Four bytes confirm a guess: a line that may hold a secret is left out. */
const MAY_BE_SECRET = /pass|pwd|secret|token|key|auth|cred|bearer|:\/\//i;
const MOST_IN_SESSION = 8000;

/** The first four bytes of the hash of each telling line, so that it is recognised wherever it turns up, and never stored. */
export function lineDigests(lines: readonly string[]): number[] {
  return lines.flatMap((line) => {
    const plain = line.trim().replaceAll(/\s+/g, " ");
    if (plain.length < SHORTEST || MAY_BE_SECRET.test(plain)) return [];
    return hash("sha256", plain, "buffer").readUInt32BE();
  });
}

/** Adds what edits wrote to the lines of their turn; the oldest are forgotten first. */
export function noteWritten(activity: Activity, edits: readonly EditEntry[], turn: string): void {
  let written = activity.written ?? [];
  for (const { path, written: lines = [] } of edits) {
    if (lines.length === 0) continue;
    const before = written.find((each) => each.path === path && each.turn === turn);
    const all = [...new Set([...(before?.lines ?? []), ...lines])];
    written = [...written.filter((each) => each !== before), { path, turn, lines: all }];
  }
  if (written.length === 0) return;
  let room = MOST_IN_SESSION;
  activity.written = written
    .toReversed()
    .filter(({ lines }) => (room -= lines.length) >= 0)
    .toReversed();
}
