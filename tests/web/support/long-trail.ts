import { writeCheckpoint } from "../../../src/core/trails/document.ts";
import { openCairn } from "../../../src/doors/library/index.ts";
import { encode } from "../../../src/core/objects/encode.ts";
import type { Commit } from "../../../src/core/store/contract.ts";

const TOGETHER = 500;

/**
 * A trail of so many real commits, each with a state of its own. They are handed over many at a time, so that they share
 * flushes: the store checks and writes each like any other.
 */
export async function longTrail(path: string, checkpoints: number, trail = "main"): Promise<void> {
  const cairn = await openCairn({ path });
  const { store } = cairn;
  let parent: Parameters<typeof writeCheckpoint>[0]["parent"];
  let memory: Parameters<typeof encode>[1];
  for (let done = 0; done < checkpoints; done += TOGETHER) {
    const commits: Commit[] = [];
    for (let index = done; index < Math.min(done + TOGETHER, checkpoints); index++) {
      const encoded = encode(stateAt(index), memory);
      memory = encoded.memory;
      const createdAt = Date.UTC(2026, 0, 1) + index * 60_000;
      const created_at = new Date(createdAt).toISOString();
      const root = encoded.memory.root;
      const { info, object } = writeCheckpoint({ root, trail, created_at, parent, notes: notesAt(index) });
      const from = parent?.content_hash;
      commits.push({
        objects: encoded.objects,
        checkpoint: object,
        trail,
        parent: from,
        createdAt,
        head: { from },
      });
      parent = info;
    }
    await Promise.all(commits.map((commit) => store.commit(commit)));
  }
  await cairn.close();
}

const notesAt = (index: number) => (index % 10 === 0 ? `Moment ${index}` : undefined);

function stateAt(index: number): object {
  return {
    goal: "Count to the end",
    next_action: `Count to ${index + 1}`,
    tasks: [{ id: "1", subject: "Count", status: "in_progress", blocks: [], blocked_by: [] }],
    active_task_id: "1",
    variables: { count: index },
  };
}
