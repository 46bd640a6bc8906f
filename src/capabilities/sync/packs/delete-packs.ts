import type { Version } from "../contract.ts";
import { epochDocument, type EpochDocument } from "../documents.ts";
import { listHeads, packsOf, type RemoteTrails } from "../remote-trails.ts";

export interface RepackEpoch extends EpochDocument {
  readonly version: Version | undefined;
}

const NAME = "epoch";
const HOUR_MS = 60 * 60 * 1000;

/**
 * A push that takes longer starts again, so that a machine that deletes packs knows how old a push can be that still refers
 * to them. The clocks of machines may differ by what lies between this and `UNUSED_MS`.
 */
export const LONGEST_PUSH_MS = 24 * HOUR_MS;
const UNUSED_MS = 14 * 24 * HOUR_MS;

export async function readEpoch({ remote, sealing }: RemoteTrails): Promise<RepackEpoch> {
  const kept = await remote.get(NAME);
  if (kept === undefined) return { number: 0, at: 0, doomed: {}, version: undefined };
  return { ...epochDocument.decode(sealing.open(NAME, kept.bytes)), version: kept.version };
}

/**
 * Deletes the packs that no head has referred to for 14 days, and notes those that no head refers to now. Looks at most
 * once a day. Returns how many are gone.
 *
 * Safe beside pushes: a push reads the epoch before it moves its head, refers to nothing that is doomed there, and is at
 * most a day old. So what is still unused 14 days after it was doomed, no head will ever refer to again.
 */
export async function deleteUnused(trails: RemoteTrails, now: Date): Promise<number> {
  const { remote, sealing } = trails;
  const epoch = await readEpoch(trails);
  const time = now.getTime();
  if (time - epoch.at < LONGEST_PUSH_MS) return 0;
  const present = [...(await remote.list("packs/")), ...(await remote.list("manifests/"))];
  const used = new Set<string | null>();
  for (const head of await listHeads(trails)) {
    used.add(head.manifest);
    for (const { name } of await packsOf(trails, head)) used.add(name);
  }
  const unused = present.filter((name) => !used.has(name));
  const doomed = Object.fromEntries(unused.map((name) => [name, epoch.doomed[name] ?? time]));
  const due = unused.filter((name) => time - (doomed[name] as number) >= UNUSED_MS);
  const bytes = epochDocument.encode({ number: epoch.number + 1, at: time, doomed });
  const isMoved = await remote.compareAndSwap(NAME, sealing.seal(NAME, bytes), epoch.version);
  if (isMoved === undefined) return 0;
  for (const name of due) await remote.remove(name);
  return due.length;
}
