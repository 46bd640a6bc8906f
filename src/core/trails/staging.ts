import { randomUUID } from "node:crypto";

import type { Store } from "../store/contract.ts";
import { HIDDEN_PREFIX } from "../store/hidden-trails.ts";

const PREFIX = `${HIDDEN_PREFIX}import/`;

/** Longer than any import takes: what is older was left by one that was killed. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** The name of a hidden trail in which an import gathers what it brings. Two imports never share one. */
export function stagingTrail(now: Date): string {
  return `${PREFIX}${now.getTime()}-${randomUUID()}`;
}

export const isStaging = (trail: string) => trail.startsWith(PREFIX);

/** Removes what imports that were killed left behind. Their objects go with the next sweep. */
export async function removeAbandonedImports(store: Store, now: Date): Promise<void> {
  const names = (await store.trails({ prefix: PREFIX })).map(({ name }) => name);
  const trails = names.filter((name) => now.getTime() - startOf(name) > MAX_AGE_MS);
  if (trails.length > 0) await store.remove({ trails });
}

const startOf = (name: string) => Number.parseInt(name.slice(PREFIX.length), 10);
