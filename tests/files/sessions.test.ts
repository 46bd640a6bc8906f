import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { files, filesLog, load, rewind, sessionEvent } from "../../src/doors/library/project.ts";
import { FilesBox, treeOf } from "./support/tree.ts";

let box: FilesBox;
let events: number;
let clock: number;

beforeEach(() => {
  box = new FilesBox();
  events = 0;
  clock = Date.now();
  box.write("a.txt", "one\n");
  box.write("b.txt", "one\n");
  box.write("c.txt", "one\n");
  box.commitAll("first");
});

afterEach(() => box.remove());

/** An event of Claude Code, as a server hears it, with all that is done after the answer. */
async function event(session: string, name: string, fields: object = {}, isServed = true) {
  const payload = {
    hook_event_name: name,
    session_id: session,
    cwd: box.root,
    transcript_path: "/nowhere.jsonl",
    ...fields,
  };
  const { root: _root, folder: _folder, actor: _actor, ...world } = box.project;
  const answer = await sessionEvent({ ...world, now: () => new Date((clock += 10)) }, payload, {
    env: box.env,
    cwd: box.root,
    eventId: `event-${events++}`,
    client: "claude",
    isServed,
  });
  await answer.after?.();
  return answer;
}

const prompt = (session: string) => event(session, "UserPromptSubmit", { prompt: "go on" });
const stop = (session: string) => event(session, "Stop", { stop_hook_active: false });
const bash = (session: string, command: string) =>
  event(session, "PostToolBatch", {
    tool_calls: [
      { tool_name: "Bash", tool_use_id: "t", tool_input: { command }, tool_response: { stdout: "" } },
    ],
  });

const moments = async () =>
  (await filesLog(box.project, {})).moments.map(({ why, turn, session_id, by }) => [
    why,
    turn,
    session_id,
    by,
  ]);

describe("files in agents' sessions", () => {
  it("are kept at prompts, when tools changed them, and nowhere else", async () => {
    await prompt("s1");
    await bash("s1", "true");
    writeFileSync(box.path("a.txt"), "two\n");
    await bash("s1", "sed -i s/one/two/ a.txt");
    await stop("s1");
    await prompt("s1");
    expect(await moments()).toEqual([
      ["prompt", 2, "s1", []],
      ["turn-end", 1, "s1", ["s1"]],
      ["tools", 1, "s1", ["s1"]],
      ["prompt", 1, "s1", []],
    ]);
  });

  it("that the shell changed are in the session's record", async () => {
    await prompt("s1");
    writeFileSync(box.path("b.txt"), "by a generator\n");
    await bash("s1", "make");
    const { state } = await load(box.project, { trail: "session/s1" });
    expect(state).toMatchObject({ files_touched: ["b.txt"] });
    expect((await files(box.project)).changes).toMatchObject([
      { path: "b.txt", what: "changed", by: ["s1"], turn: 1, tools: ["Bash"] },
    ]);
  });

  it("come back to the beginning of the last turn, and what a person changed before it stays", async () => {
    writeFileSync(box.path("c.txt"), "by a person\n");
    await prompt("s1");
    writeFileSync(box.path("a.txt"), "by the agent\n");
    rmSync(box.path("b.txt"));
    box.write("new/file", "by the agent\n");
    await bash("s1", "…");
    await stop("s1");
    const result = await rewind(box.project, {});
    expect(result.restored.map(({ path, what }) => `${what} ${path}`)).toEqual([
      "write a.txt",
      "write b.txt",
      "delete new/file",
    ]);
    expect(Object.fromEntries(treeOf(box.root))).toEqual({
      "a.txt": "file one\n",
      "b.txt": "file one\n",
      "c.txt": "file by a person\n",
    });
  });

  it("leave alone what a person changed after the turn, unless forced", async () => {
    await prompt("s1");
    for (const name of ["a.txt", "b.txt"]) writeFileSync(box.path(name), "by the agent\n");
    await bash("s1", "…");
    await stop("s1");
    appendFileSync(box.path("a.txt"), "and by a person\n");
    writeFileSync(box.path("c.txt"), "by a person\n");
    const result = await rewind(box.project, {});
    expect(result).toMatchObject({
      restored: [{ path: "b.txt" }],
      conflicts: [{ path: "a.txt", why: "changed by session s1 or you" }],
      others: [{ path: "c.txt", why: "changed by you" }],
    });
    expect((await rewind(box.project, { force: true })).restored).toMatchObject([{ path: "a.txt" }]);
    expect(treeOf(box.root).get("c.txt")).toBe("file by a person\n");
  });

  it("of two agents are told apart where their turns are, and named both where they overlap", async () => {
    await prompt("s1");
    writeFileSync(box.path("a.txt"), "by s1\n");
    await bash("s1", "…");
    await prompt("s2");
    writeFileSync(box.path("b.txt"), "by one of both\n");
    await bash("s2", "…");
    await stop("s1");
    writeFileSync(box.path("c.txt"), "by s2\n");
    await bash("s2", "…");
    await stop("s2");
    const who = Object.fromEntries((await files(box.project)).changes.map(({ path, by }) => [path, by]));
    expect(who).toEqual({ "a.txt": ["s1"], "b.txt": ["s1", "s2"], "c.txt": ["s2"] });
    const result = await rewind(box.project, {});
    expect(result).toMatchObject({
      restored: [{ path: "c.txt" }],
      conflicts: [{ path: "b.txt", why: "changed by session s1 or session s2" }],
    });
    expect(treeOf(box.root).get("a.txt")).toBe("file by s1\n");
  });

  it("are kept before a command that destroys them, and not before another", async () => {
    await prompt("s1");
    writeFileSync(box.path("a.txt"), "not committed\n");
    const call = (command: string) =>
      event("s1", "PreToolUse", { tool_name: "Bash", tool_input: { command } });
    await call("cat a.txt");
    expect(await moments()).toHaveLength(1);
    await call("git checkout -- .");
    // The command waits for half a second at most; on a busy machine the look takes longer.
    await expect
      .poll(async () => (await moments())[0], { timeout: 30_000 })
      .toEqual(["before-command", 1, "s1", ["s1"]]);
    box.git("checkout", "--", ".");
    await bash("s1", "git checkout -- .");
    const { moments: log } = await filesLog(box.project, {});
    await rewind(box.project, { id: log[1]?.checkpoint_id ?? "" });
    expect(treeOf(box.root).get("a.txt")).toBe("file not committed\n");
  });

  it("are kept by a hook's own process where a turn begins or ends, and not at its tools", async () => {
    await event("s1", "UserPromptSubmit", { prompt: "go" }, false);
    writeFileSync(box.path("a.txt"), "two\n");
    await event("s1", "PostToolUse", { tool_name: "Bash", tool_input: {}, tool_response: {} }, false);
    expect(await moments()).toHaveLength(1);
    await event("s1", "Stop", {}, false);
    expect((await moments())[0]).toEqual(["turn-end", 1, "s1", ["s1"]]);
  });

  it("are left alone where the project says so", async () => {
    box.write("cairn.yaml", "files: off\n");
    await prompt("s1");
    await stop("s1");
    expect(await moments()).toEqual([]);
  });

  it("that could not be looked at are not known, and never taken for unchanged", async () => {
    await prompt("s1");
    const env = box.env;
    Object.assign(box.project.env, { PATH: "/nowhere" });
    writeFileSync(box.path("a.txt"), "two\n");
    await bash("s1", "…");
    const { moments: log } = await filesLog(box.project, {});
    expect(log[0]).toMatchObject({ failed: "git could not be started (ENOENT)" });
    Object.assign(box.project.env, env);
    await expect(rewind(box.project, { id: log[0]?.checkpoint_id ?? "" })).rejects.toMatchObject({
      code: "not-found",
    });
  });
});
