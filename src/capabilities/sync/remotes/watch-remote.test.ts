import { describe, expect, it } from "vitest";

import { watchRemote } from "./watch-remote.ts";

/** In which of so many looks it pulls, if it is told of news before the looks in `toldBefore`. */
async function pullsOf(looks: number, toldBefore: readonly number[] = []): Promise<number[]> {
  const pulls: number[] = [];
  let [look, pushes] = [0, 0];
  await watchRemote({
    pause: { isOver: () => look === looks, wait: async () => void look++ },
    isTold: () => toldBefore.includes(look),
    pull: async () => void pulls.push(look),
    push: async () => void pushes++,
  });
  expect(pushes).toBe(looks);
  return pulls;
}

describe("watching a remote", () => {
  it("pulls every half minute", async () => {
    expect(await pullsOf(95)).toEqual([30, 60, 90]);
  });

  it("pulls at the next look when it is told, and half a minute after that", async () => {
    expect(await pullsOf(50, [7, 8])).toEqual([7, 8, 38]);
  });
});
