import { renameSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeRun } from "./support/runs.ts";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
  box.run(["goal", "Ship it"]);
  box.run(["set", "region", "eu"]);
  box.run(["set", "page", LONG]);
});
afterEach(() => box.remove());

/** Long enough to be an object of its own. */
const LONG = Array.from({ length: 800 }, (_, n) => `line ${n}`).join(" ");

const NEWEST = "SELECT object FROM checkpoints ORDER BY sequence DESC LIMIT 1";
/** What is damaged: the newest checkpoint itself, the root of its state, or a part of it. */
const DAMAGES = {
  checkpoint: NEWEST,
  root: "SELECT object - 1 FROM checkpoints ORDER BY sequence DESC LIMIT 1",
  state: "SELECT id FROM objects ORDER BY length(data) DESC LIMIT 1",
};

/** Zeroes the bytes of an object, and returns how to put them back. */
function damage(which: string): () => void {
  const db = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
  const { id, data } = db.prepare(`SELECT id, data FROM objects WHERE id = (${which})`).get() as {
    id: number;
    data: Uint8Array;
  };
  db.prepare("UPDATE objects SET data = zeroblob(length(data)) WHERE id = ?").run(id);
  db.close();
  return () => {
    const again = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
    again.prepare("UPDATE objects SET data = ? WHERE id = ?").run(data, id);
    again.close();
  };
}

/** What is damaged behind a whole head: repairing again would change nothing. */
const cannotBeRead = (id: string) =>
  `! error: Checkpoint ${id} is damaged: its state cannot be read.
! hint: To see which ones are whole: checkpoint list
! To go back to one of them: checkpoint restore ID
[exit 5]`;

const idsOf = () =>
  (box.json("list")["checkpoints"] as { checkpoint_id: string }[]).map((c) => c.checkpoint_id);

describe.each(Object.entries(DAMAGES))("a trail whose newest %s is damaged", (_what, which) => {
  it("is listed with the damaged one marked, and status shows the newest whole one", () => {
    damage(which);
    expect(box.see("list").split("\n")).toEqual([
      expect.stringMatching(/^ckpt-20260123-120200-\S+ .*damaged: checkpoint verify$/),
      expect.stringMatching(/^ckpt-20260123-120100-\S+ .*\+ region = eu$/),
      expect.stringMatching(/^ckpt-20260123-120000-\S+ .*the first of its trail$/),
    ]);
    expect(box.see("log")).toContain("damaged: checkpoint verify");
    expect(box.run(["log", "--graph"]).status).toBe(0);
    const status = box.run(["status"]);
    expect(status).toMatchObject({ status: 0, stdout: expect.stringContaining("Ship it") });
    expect(status.stderr).toContain("is damaged; this is the newest intact one");
    expect(status.stderr).toContain("checkpoint verify --repair");
    expect(box.json("status")).toMatchObject({
      damaged_head: expect.stringMatching(/^ckpt-20260123-120200-/) as string,
      go_on: [{ command: "checkpoint verify --repair" }],
    });
    expect(box.run(["verify"]).stdout).toContain("costs ckpt-20260123-120200-");
  });

  it("refuses to save and says what helps; doctor fails", () => {
    damage(which);
    for (const command of [["now"], ["set", "a", "1"], ["load"], ["summary"]]) {
      const { status, stderr } = box.run(command);
      expect(status).toBe(5);
      expect(stderr).toContain("checkpoint verify --repair");
    }
    const doctor = box.run(["doctor"]);
    expect(doctor.status).toBe(1);
    expect(doctor.stdout).toContain("The newest checkpoint of trail main is damaged.");
  });

  it("goes back by restore and by undo", () => {
    const [, before = ""] = idsOf();
    damage(which);
    expect(box.run(["restore", before]).status).toBe(0);
    expect(box.json("load")["variables"]).toEqual({ region: "eu" });
    expect(box.run(["set", "a", "1"]).status).toBe(0);
    damage(NEWEST);
    const undone = box.run(["undo"]);
    expect(undone).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/\nckpt-\S+ stays in the history, but it is damaged\.\n$/),
    });
    expect(box.json("load")["variables"]).toEqual({ region: "eu" });
  });

  it("is shown as unfinished, with the command that helps", () => {
    damage(which);
    expect(box.see("resume", "--list")).toMatch(
      /^1 {2}trail main {2}corrupt\n.*\n {3}its newest checkpoint, ckpt-\S+, is damaged\n {3}checkpoint verify --repair$/,
    );
    expect(box.run(["resume"])).toMatchObject({
      status: 5,
      stderr: expect.stringContaining("checkpoint verify --repair"),
    });
  });

  it("is repaired, and the damaged one comes back when its bytes do", () => {
    const [lost = ""] = idsOf();
    const putBack = damage(which);
    expect(box.run(["verify"])).toMatchObject({
      status: 5,
      stderr: expect.stringContaining("verify --repair"),
    });
    const repaired = box.run(["verify", "--repair"]);
    expect(repaired.status).toBe(0);
    expect(repaired.stderr).toMatch(/main is back at the state of ckpt-20260123-1201\S+, as ckpt-\S+\.\n/);
    expect(repaired.stderr).toContain(`checkpoint restore ${lost}`);
    expect(repaired.stderr).toContain("Every trail is usable again. Damaged checkpoints stay");
    expect(box.json("load")).toMatchObject({ variables: { region: "eu" }, trigger: "repair" });
    expect(box.run(["doctor"]).status).toBe(0);
    expect(box.run(["verify"]).status).toBe(5);
    expect(box.json("verify")).toMatchObject({ ok: false });
    expect(box.run(["verify", "--repair"]).status).toBe(0);
    expect(box.json("verify", "--repair")).toMatchObject({ ok: true, repaired: [], damage: [{}] });
    for (const command of [
      ["undo"],
      ["restore", lost],
      ["load", lost],
      ["fork", lost, "--as", "x"],
      ["diff"],
    ])
      expect(box.see(...command)).toBe(cannotBeRead(lost));
    putBack();
    expect(box.run(["undo"]).status).toBe(0);
    expect(box.json("load")["variables"]).toEqual({ region: "eu", page: LONG });
  });

  it("takes the same work again: what is saved anew heals what is damaged", () => {
    damage(which);
    box.run(["verify", "--repair"]);
    expect(box.run(["set", "page", LONG]).status).toBe(0);
    expect(box.json("load")["variables"]).toEqual({ region: "eu", page: LONG });
  });
});

/** Changes the tables, as a page that was never written would. */
function alter(sql: string): void {
  const db = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
  db.exec(sql);
  db.close();
}

describe("a store whose index lost an entry", () => {
  it("shows the newest whole checkpoint where the head is no longer found, and is repaired", () => {
    alter(`DELETE FROM ids WHERE object = (${NEWEST})`);
    const status = box.run(["status"]);
    expect(status).toMatchObject({ status: 0, stdout: expect.stringContaining("Ship it") });
    expect(status.stderr).toContain("is damaged; this is the newest intact one");
    expect(box.run(["now"]).status).toBe(5);
    box.run(["verify", "--repair"]);
    expect(box.json("load")).toMatchObject({ variables: { region: "eu" }, trigger: "repair" });
  });

  it("is not called whole when a checkpoint vanished from the middle of a history", () => {
    alter("DELETE FROM checkpoints WHERE sequence = 2");
    expect(box.run(["verify"])).toMatchObject({
      status: 5,
      stdout: expect.stringContaining("is neither there nor was it pruned"),
    });
  });
});

describe("verify --repair", () => {
  it("leaves runs alone, because going back would do their steps again", async () => {
    await makeRun(box, { name: "report", steps: [{ id: "collect", run: () => ({ rows: 3 }) }] });
    damage(NEWEST);
    expect(box.json("verify", "--repair")).toMatchObject({ ok: false });
    const { status, stderr } = box.run(["verify", "--repair"]);
    expect(status).toBe(5);
    expect(stderr).toMatch(
      /run\/(report-\S+) is damaged, and a run that goes back .*\nTo put it aside: checkpoint archive \1\n/,
    );
  });

  it("says when nothing is left to go back to", () => {
    for (const each of ["SELECT 1", "SELECT 2"]) damage(each);
    damage(NEWEST);
    damage(`SELECT object FROM checkpoints ORDER BY sequence LIMIT 1`);
    damage(`SELECT object FROM checkpoints ORDER BY sequence LIMIT 1 OFFSET 1`);
    expect(box.run(["verify", "--repair"])).toMatchObject({
      status: 5,
      stderr: expect.stringContaining("No checkpoint of main can be loaded any more."),
    });
    expect(box.run(["status"]).status).toBe(5);
  });
});

it("clean says what it archived, although a damaged store gives no space back", async () => {
  await makeRun(box, { name: "w", steps: [{ id: "a", run: "exit 1" }] }, { runId: "w-1" }).catch(() => {});
  damage(DAMAGES.state);
  const { status, stdout, stderr } = box.run(["clean", "--max-age-days", "0", "--yes"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining("The report:") as string });
  expect(stdout).toContain("1 run archived");
});

it("deletes a trail that nothing can be read of, and says so", () => {
  box.run(["fork", "--as", "side"]);
  damage(DAMAGES.state);
  expect(box.run(["trails", "delete", "side", "--yes"])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("Deleted side: 1 checkpoint."),
  });
  expect(box.see("trails")).not.toContain("side");
});

it("a file that cannot be read at all is replaced by a copy, as verify itself says", () => {
  box.run(["backup", "kept.cairn"]);
  truncateSync(join(box.folder, ".cairn/store.sqlite"), 9000);
  const { status, stderr } = box.run(["verify"]);
  expect({ status, stderr }).toEqual({
    status: 5,
    stderr: expect.stringContaining("checkpoint backup restore FILE") as string,
  });
  renameSync(join(box.folder, ".cairn"), join(box.folder, "damaged"));
  expect(box.run(["backup", "restore", "kept.cairn"]).status).toBe(0);
  expect(box.json("load")["goal"]).toBe("Ship it");
});
