import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { goal, load, rewind, undo } from "../../src/doors/library/project.ts";
import { FilesBox, treeOf } from "./support/tree.ts";

let box: FilesBox;

beforeEach(async () => {
  box = new FilesBox();
  box.write("a.txt", "one\n");
  box.commitAll("first");
  const id = await box.keep();
  await goal(box.project, { goal: "first" });
  await goal(box.project, { goal: "second" });
  box.write("a.txt", "two\n");
  await rewind(box.project, { id });
});

afterEach(() => box.remove());

const recordedGoal = async () => (await load(box.project, {})).state.goal;

describe("undo after a rewind of files", () => {
  it("takes the rewind back and leaves the work; again, it goes further back and not forth", async () => {
    const { files } = await undo(box.project, {});
    expect(files).toEqual({ restored: 1, left: [] });
    expect(treeOf(box.root).get("a.txt")).toBe("file two\n");
    expect(await recordedGoal()).toBe("second");
    expect((await undo(box.project, {})).files).toBeUndefined();
    expect(treeOf(box.root).get("a.txt")).toBe("file two\n");
    expect(await recordedGoal()).toBe("first");
  });

  it("takes back the work where something was recorded since", async () => {
    await goal(box.project, { goal: "third" });
    expect((await undo(box.project, {})).files).toBeUndefined();
    expect(treeOf(box.root).get("a.txt")).toBe("file one\n");
    expect(await recordedGoal()).toBe("second");
  });

  it("names a file that changed since, and leaves it", async () => {
    box.write("a.txt", "three\n");
    const { files } = await undo(box.project, {});
    expect(files).toEqual({ restored: 0, left: [{ path: "a.txt", why: "changed since the rewind" }] });
    expect(treeOf(box.root).get("a.txt")).toBe("file three\n");
  });

  it("is of the work on a trail that is named", async () => {
    expect((await undo(box.project, { trail: "main" })).files).toBeUndefined();
    expect(treeOf(box.root).get("a.txt")).toBe("file one\n");
  });
});
