import { openCairn } from "../../src/doors/library/index.ts";
import { advance, NO_WORK, workAt, type Work } from "../../tests/faults/programs/work.ts";
import type { Told } from "../../tests/faults/programs/writer.ts";

/** What a writer was told to be saved. */
export interface Acknowledged {
  readonly step: number;
  readonly hash: string;
}

export function acknowledgedIn(messages: readonly Told[]): Acknowledged[] {
  return messages.filter((message) => "did" in message && message.did === "commit");
}

export interface Expectation {
  readonly acknowledged: readonly Acknowledged[];
  /** A prune had begun: what was acknowledged before it may be gone, with a tombstone. */
  readonly pruned?: readonly Acknowledged[];
}

/** Opens what is left of a store as the next writer would. Returns what is wrong with it. */
export async function examine(folder: string, expected: Expectation): Promise<string[]> {
  const problems: string[] = [];
  try {
    const cairn = await openCairn({ path: folder });
    try {
      const trail = cairn.trail<Work>("main", { initial: NO_WORK });
      const pruned = new Set(expected.pruned?.map(({ hash }) => hash));
      for (const { hash, step } of expected.acknowledged) {
        if (pruned.has(hash) && (await cairn.store.tombstone(hash as never)) !== undefined) continue;
        const found = await trail.load(hash).catch((error: unknown) => String(error));
        if (typeof found === "string") problems.push(`lost step ${step}: ${found}`);
        else if (JSON.stringify(found.state) !== JSON.stringify(workAt(step)))
          problems.push(`wrong step ${step}`);
      }
      const last = expected.acknowledged.at(-1)?.step ?? 0;
      const head = (await trail.head()) === undefined ? 0 : (await trail.load()).state.step;
      if (head < last) problems.push(`the head is at step ${head}, not ${last}`);
      const { damage } = await cairn.verify();
      problems.push(...damage.map(({ what }) => `damaged: ${what}`));
      await trail.commit(advance);
    } finally {
      await cairn.close();
    }
  } catch (error) {
    problems.push(`unusable: ${String(error)}`);
  }
  return problems;
}
