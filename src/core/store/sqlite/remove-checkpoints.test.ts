import { expect, it } from "vitest";
import { changeOf, valueOf } from "../../../testing/store/samples.ts";
import { openMemoryStore } from "../sqlite.ts";

it("removes a damaged checkpoint under the id that it was asked for, without reading it", async () => {
  const store = await openMemoryStore();
  const { checkpoint, ...change } = changeOf("a", { from: "stay" });
  await store.commit({ ...change, checkpoint: { ...checkpoint, bytes: valueOf("flipped").bytes } });
  const { removed } = await store.remove({ checkpoints: [checkpoint.id] });
  expect(removed).toEqual([checkpoint.id]);
  expect(await store.tombstone(checkpoint.id)).toMatchObject({ id: checkpoint.id });
  await store.close();
});
