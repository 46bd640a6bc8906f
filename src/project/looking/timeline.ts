import { infoOrDamage } from "../../checkpoints/document.ts";
import { findReferred } from "../../checkpoints/references.ts";
import { findStored } from "../../checkpoints/find-checkpoint.ts";
import type { Store } from "../../store/contract.ts";
import { readTrail } from "../choose-trail.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import { type LoggedCheckpoint, loggedCheckpoints } from "./list.ts";
import type { TIMELINE } from "./schemas.ts";

export type TimelineInput = InputOf<typeof TIMELINE>;

export interface TimelineResult {
  readonly trail: string;
  /** How many checkpoints the trail has. */
  readonly total: number;
  /** The position of the first one below: 0 is the newest. */
  readonly from: number;
  readonly checkpoints: readonly LoggedCheckpoint[];
}

/** A part of a trail's history by its position, so that any place in a long one is reached at once. */
export async function timeline(project: Project, input: TimelineInput): Promise<TimelineResult> {
  const { cairn, trail } = await readTrail(project, input.trail);
  const { store } = cairn;
  const { around, limit = 50 } = input;
  const total = await store.count(trail.name);
  const middle = around === undefined ? 0 : await positionOf(store, trail.name, around);
  const from = input.from ?? Math.max(0, middle - Math.floor(limit / 2));
  const found = await store.history(trail.name, { skip: from, limit });
  const head = await store.head(trail.name);
  const heads = new Set(head === undefined ? [] : [head]);
  const checkpoints = await loggedCheckpoints(store, found.map(infoOrDamage), { described: found, heads });
  return { trail: trail.name, total, from, checkpoints };
}

async function positionOf(store: Store, trail: string, text: string): Promise<number> {
  const { sequence } = await findStored(store, (await findReferred(store, trail, text)) ?? text);
  return store.count(trail, { afterSequence: sequence });
}
