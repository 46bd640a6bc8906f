import { infoOrDamage } from "../../../core/trails/document.ts";
import { findReferred } from "../../../core/trails/references.ts";
import { findStored } from "../../../core/trails/find-checkpoint.ts";
import type { Store } from "../../../core/store/contract.ts";
import { readTrail } from "../choose-trail.ts";
import type { Project } from "../project.ts";
import { loggedCheckpoints } from "./list.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { READING } from "./verbs.ts";

export type TimelineInput = InputOf<(typeof READING)["timeline"]>;

export type TimelineResult = Awaited<ReturnType<typeof timeline>>;

/**
 * A part of a trail's history by its position, so that any place in a long one is reached at once. `total` is how many
 * checkpoints the trail has, `from` the position of the first one here: 0 is the newest.
 */
export async function timeline(project: Project, input: TimelineInput) {
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
