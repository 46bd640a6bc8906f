import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { filesLog, rewind, verify } from "../../src/doors/library/project.ts";
import { FilesBox, treeOf } from "./support/tree.ts";

const MB = 2 ** 20;
let box: FilesBox;

beforeEach(() => {
  box = new FilesBox();
});

afterEach(() => box.remove());

it("more content than fits into one commit goes ahead of its snapshot, and comes back whole", async () => {
  for (let at = 0; at < 18; at++) box.write(`large/${at}.bin`, randomBytes(4 * MB));
  const before = treeOf(box.root);
  const id = await box.keep();
  for (let at = 0; at < 18; at++) box.write(`large/${at}.bin`, "gone");
  await rewind(box.project, { id });
  expect(treeOf(box.root)).toEqual(before);
  const { moments } = await filesLog(box.project, {});
  expect(moments.map(({ why, failed }) => [why, failed])).toEqual([
    ["rewound", null],
    ["before-rewind", null],
    ["manual", null],
  ]);
  expect((await verify(box.project, {})).damage).toEqual([]);
}, 60_000);
