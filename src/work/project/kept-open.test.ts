import { expect, it } from "vitest";
import { KeptOpen } from "./kept-open.ts";

const openIn = (log: string[], name: string) => async () => {
  log.push(`open ${name}`);
  return { close: async () => void log.push(`close ${name}`) };
};

it("opens once for all who ask, and closes with the stores", async () => {
  const log: string[] = [];
  const kept = new KeptOpen();
  const [one, two] = await Promise.all([kept.get("a", openIn(log, "a")), kept.get("a", openIn(log, "a"))]);
  expect(one).toBe(two);
  await kept.get("b", openIn(log, "b"));
  await kept.close();
  await kept.close();
  expect(log).toEqual(["open a", "open b", "close a", "close b"]);
});

it("closes the others where one never opened", async () => {
  const log: string[] = [];
  const kept = new KeptOpen();
  await expect(kept.get("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  await kept.get("b", openIn(log, "b"));
  await kept.close();
  expect(log).toEqual(["open b", "close b"]);
});
