import { afterEach, beforeEach, expect, it } from "vitest";
import { SEGMENT_LENGTH } from "../../src/capabilities/files/snapshot/snapshots.ts";
import { keepWithinBudget } from "../../src/capabilities/files/retention.ts";
import { filesLog, filesShow, now, prune, usage, verify } from "../../src/doors/library/project.ts";
import { FilesBox } from "./support/tree.ts";

let box: FilesBox;
const MOMENTS = 2 * SEGMENT_LENGTH + 10;

beforeEach(async () => {
  box = new FilesBox();
  box.write("kept", "committed\n");
  box.commitAll("first");
  for (let at = 0; at < MOMENTS; at++) {
    box.write(
      "a.txt",
      Array.from({ length: 400 }, (_, line) => `line ${line} ${line === at ? "edited" : ""}\n`).join(""),
    );
    await now(box.project, { files: true, notes: `moment ${at}` });
  }
}, 300_000);

afterEach(() => box.remove());

const count = async () => (await filesLog(box.project, { limit: 1000 })).moments.length;

it("snapshots go with the checkpoints that they belong to, and when they take more than the budget, the newest never", async () => {
  await keepWithinBudget(box.project, 100_000_000);
  expect(await count()).toBe(MOMENTS);
  await prune(box.project, { keep: 50 });
  expect(await count()).toBe(SEGMENT_LENGTH + 10);
  const { moments } = await filesLog(box.project, { limit: 1000 });
  for (const { checkpoint_id } of [moments.at(0), moments.at(-1)].filter((each) => each !== undefined)) {
    const shown = await filesShow(box.project, { id: checkpoint_id, path: "a.txt" });
    expect(Buffer.from(shown.base64, "base64").toString()).toContain("edited");
  }
  expect((await verify(box.project, {})).damage).toEqual([]);
  await keepWithinBudget(box.project, 1);
  expect(await count()).toBe(10);
  const [newest] = (await filesLog(box.project, {})).moments;
  const shown = await filesShow(box.project, { id: newest?.checkpoint_id ?? "", path: "a.txt" });
  expect(Buffer.from(shown.base64, "base64").toString()).toContain(`line ${MOMENTS - 1} edited`);
  expect((await verify(box.project, {})).damage).toEqual([]);
  const files = (await usage(box.project)).trails.find(({ name }) => name.startsWith(".files/"));
  expect(files).toMatchObject({ checkpoints: 10 });
}, 300_000);
