import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { Sandbox } from "../cli/support/sandbox.ts";

let box: Sandbox;

beforeEach(() => {
  box = new Sandbox();
});

afterEach(() => box.remove());

/** Saves so many checkpoints. */
function save(count: number): void {
  for (let left = count; left > 0; left--) expect(box.run(["now", "--notes", `${left} left`]).status).toBe(0);
}

const store = () => join(box.folder, ".cairn");
const copy = () => join(box.home, "copy");

function replaceByCopy(): void {
  rmSync(store(), { recursive: true });
  cpSync(copy(), store(), { recursive: true });
}

function statusOf(...args: readonly string[]): number | null {
  return box.run(args).status;
}

describe("a whole .cairn that is replaced by an older copy", () => {
  it.each([0, 1, 5])("is found by doctor and verify, also after %d new checkpoints", (later) => {
    save(2);
    cpSync(store(), copy(), { recursive: true });
    save(2);
    expect(statusOf("verify")).toBe(0);
    replaceByCopy();
    save(later);
    expect([statusOf("doctor"), statusOf("verify"), statusOf("doctor")]).toEqual([1, 5, 1]);
    expect(box.see("verify")).toContain(
      'An older copy, or another store, took the place of "PROJECT/.cairn": commit 4 was saved in it, and is not there.',
    );
    expect([statusOf("doctor", "--accept-loss"), statusOf("doctor"), statusOf("verify")]).toEqual([0, 0, 0]);
  });

  it("is found when it is the store of another project", () => {
    save(2);
    const other = new Sandbox();
    other.run(["now"]);
    cpSync(join(other.folder, ".cairn"), copy(), { recursive: true });
    other.remove();
    replaceByCopy();
    expect([statusOf("doctor"), statusOf("verify")]).toEqual([1, 5]);
  });
});

describe("no alarm is raised", () => {
  it.each<[string, () => void]>([
    ["for the same copy", () => (cpSync(store(), copy(), { recursive: true }), replaceByCopy())],
    ["after a prune", () => void box.run(["prune", "--keep", "1"])],
    ["for a new store where one was deleted", () => rmSync(store(), { recursive: true })],
    ["where nothing was kept", () => rmSync(join(box.home, ".local"), { recursive: true })],
  ])("%s", (_what, change) => {
    save(3);
    change();
    save(1);
    expect([statusOf("doctor"), statusOf("verify")]).toEqual([0, 0]);
  });
});
