import { describe, expect, it } from "vitest";
import { LateSaves } from "./late-saves.ts";

describe("LateSaves", () => {
  it("begins after whoever added it has gone on, one after the other, and is waited for", async () => {
    const order: string[] = [];
    const saves = new LateSaves();
    const save = (name: string) => async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      return "";
    };
    saves.add(save("one"));
    saves.add(save("two"));
    await Promise.resolve();
    order.push("answered");
    await saves.done();
    expect(order).toEqual(["answered", "one begins", "one ends", "two begins", "two ends"]);
  });

  it("owes what is to be said, once", async () => {
    const saves = new LateSaves();
    saves.add(async () => "not saved");
    saves.add(async () => "");
    expect(saves.takeMessage()).toBe("");
    await saves.done();
    expect(saves.takeMessage()).toBe("not saved");
    expect(saves.takeMessage()).toBe("");
  });
});
