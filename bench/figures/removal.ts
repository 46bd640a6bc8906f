import { join } from "node:path";
import { atLeast, atMost, type Figure } from "../figure.ts";
import { readText } from "../corpus.ts";
import { bytesIn } from "../folders.ts";
import { openCairn } from "../library.ts";
import { Samples } from "../measure.ts";
import { bytes, timeAndCpu } from "../units.ts";

const [TRAILS, CHECKPOINTS] = [50, 100];

export const removal: Figure = {
  name: "removal",
  title: `Removing one of ${TRAILS} trails with ${CHECKPOINTS} checkpoints each, written in turn`,
  measure: async ({ corpus, place, progress }) => {
    progress.step("removal of a trail");
    const folder = place.newFolder();
    const path = join(folder, "store");
    const cairn = await openCairn({ path });
    const text = readText(corpus, 400, 13);
    const trails = Array.from({ length: TRAILS }, (_, at) =>
      cairn.trail<{ messages: string[] }>(`run/${at}`, { initial: { messages: [] } }),
    );
    for (let step = 0; step < CHECKPOINTS; step++)
      for (const trail of trails) await trail.commit((state) => void state.messages.push(text(400)));
    // One before, because a sweep rewrites a small store and so makes more room than a trail leaves.
    await cairn.store.remove({ trails: ["run/10"] });
    await cairn.sweep();
    const before = bytesIn(path);
    const removing = new Samples();
    await removing.time(() => cairn.store.remove({ trails: ["run/20"] }));
    await cairn.sweep();
    const back = before - bytesIn(path);
    await cairn.close();
    place.remove(folder);
    const own = before / (TRAILS - 1);
    return [
      atMost("remove", removing.p50 / 1000, { must: 100, aim: 20, unit: " ms" }, timeAndCpu(removing)),
      atLeast(
        "its bytes back after a sweep",
        (100 * back) / own,
        { must: 90, aim: 97, unit: " %", digits: 0 },
        `${bytes(back)} of ${bytes(own)}, an equal share of the store`,
      ),
    ];
  },
};
