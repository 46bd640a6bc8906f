import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { filesLog, now, rewind, sessionEvent, verify } from "../../src/doors/library/project.ts";
import { FilesBox, treeOf } from "./support/tree.ts";

let box: FilesBox;

beforeEach(async () => {
  box = new FilesBox();
  box.write("cairn.yaml", "governance: on\n");
  box.write("a.txt", "one\n");
  box.commitAll("first");
  await now(box.project, { notes: "begin" });
});

afterEach(() => box.remove());

it("files of a governed project are kept, and brought back only where the gate permits it", async () => {
  const { root: _root, folder: _folder, actor: _actor, ...world } = box.project;
  const event = async (hook_event_name: string, fields: object = {}) => {
    const payload = { hook_event_name, session_id: "s1", cwd: box.root, ...fields };
    const sender = { env: box.env, cwd: box.root, eventId: hook_event_name, client: "claude" as const };
    const { after } = await sessionEvent(world, payload, { ...sender, isServed: true });
    await after?.();
  };
  await event("UserPromptSubmit", { prompt: "go on" });
  writeFileSync(box.path("a.txt"), "two\n");
  await event("PostToolBatch", {
    tool_calls: [{ tool_name: "Bash", tool_use_id: "t", tool_input: { command: "x" }, tool_response: {} }],
  });
  await event("Stop");
  expect((await filesLog(box.project, {})).moments.map(({ why }) => why)).toEqual([
    "turn-end",
    "tools",
    "prompt",
  ]);
  expect((await rewind(box.project, { dryRun: true })).restored).toMatchObject([{ path: "a.txt" }]);
  // Nobody has given anybody a tier here.
  await expect(rewind(box.project, {})).rejects.toMatchObject({ code: "refused" });
  expect(treeOf(box.root).get("a.txt")).toBe("file two\n");
  expect(await verify(box.project, {})).toMatchObject({ damage: [], unrecorded: [] });
});
