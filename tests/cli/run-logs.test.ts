import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";
import { until } from "./support/until.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
  box.write(
    "w.yaml",
    `name: w
steps:
  - id: one
    run: "echo one says hi; echo and complains >&2"
  - id: two
    run: "echo two, attempt $CAIRN_ATTEMPT; [ $CAIRN_ATTEMPT -ge 2 ]"
  - id: three
    run: "printf 'waits \\\\033[31mred\\n'; while test ! -f go; do sleep 0.05; done; echo goes on"
  - id: ship
    approve: Ship it?
`,
  );
});
afterEach(() => box.remove());

/** Runs it until its second step fails, and then on. */
function twice(): void {
  expect(box.run(["run", "w.yaml", "--run-id", "w-1"]).status).toBe(1);
  expect(box.run(["resume", "w-1"]).status).toBe(4);
}

/** Goes on with the run, and waits until its third step waits. */
async function begin() {
  expect(box.run(["run", "w.yaml", "--run-id", "w-1"]).status).toBe(1);
  const runner = box.start(["resume", "w-1"]);
  await until("the third step runs", () => runner.messages().includes("[>] three"));
  await until("it has printed", () => box.run(["runs", "logs", "w-1", "three"]).stdout.includes("waits"));
  return runner;
}

describe("checkpoint runs logs", () => {
  it("prints what the steps printed, in their order, and each attempt", async () => {
    box.write("go", "");
    twice();
    expect(box.see("runs", "logs", "w")).toBe(
      [
        "==> one, attempt 1 (completed, status 0) <==",
        "one says hi",
        "and complains",
        "==> two, attempt 2 (completed, status 0) <==",
        "two, attempt 2",
        "==> three, attempt 1 (completed, status 0) <==",
        "waits \u{1b}[31mred",
        "goes on",
      ].join("\n"),
    );
    expect(box.see("runs", "logs", "w-1", "two", "--attempt", "1")).toBe("two, attempt 1");
    expect(box.see("runs", "logs", "w-1", "2")).toBe("two, attempt 2");
    expect(box.see("runs", "logs", "w-1", "two", "--follow")).toBe("two, attempt 1\ntwo, attempt 2");
    expect(box.json("runs", "logs", "w-1", "two")["logs"]).toMatchObject([
      { step: "two", attempt: 2, exit_status: 0, text: "two, attempt 2\n" },
    ]);
  });

  it("says what is wrong with what was asked for", () => {
    expect(box.see("runs", "logs", "w-1")).toContain("There is no run in this project yet.");
    box.write("go", "");
    twice();
    expect(box.see("runs", "logs", "w-1", "tow")).toContain('Run "w-1" has no step "tow".');
    expect(box.see("runs", "logs", "w-1", "two", "--attempt", "7")).toContain("the newest is 2");
    expect(box.see("runs", "logs", "w-1", "--attempt", "1")).toContain(
      "--attempt needs a step: every step counts its own attempts.",
    );
    expect(box.see("runs", "logs", "w-1", "ship")).toContain("is not a command, so it prints nothing");
    expect(box.run(["runs", "logs", "w-1", "--follow", "--json"]).status).toBe(2);
    rmSync(join(box.folder, ".cairn/runs/w-1/steps"), { recursive: true });
    expect(box.see("runs", "logs", "w-1", "two")).toContain("is no longer there");
  });

  it("says that what an archived run printed was removed", () => {
    box.run(["run", "w.yaml", "--run-id", "w-1"]);
    box.run(["clean", "--max-age-days", "0", "--yes"]);
    for (const command of [
      ["runs", "logs", "w-1"],
      ["runs", "logs", "w-1", "--follow"],
    ])
      expect(box.see(...command)).toMatchInlineSnapshot(`
        "! error: What the steps of run "w-1" printed is no longer there: the run was archived, and what it printed was removed.
        ! hint: What is known about it: checkpoint runs show w-1
        [exit 3]"
      `);
  });

  it("follows a finished run through all that it printed, and refuses a step that it has not", () => {
    box.write("long.yaml", "name: long\nsteps: [{ id: one, run: seq 1 500000 }]\n");
    box.run(["run", "long.yaml", "--run-id", "long-1"]);
    const { stdout } = box.run(["runs", "logs", "long-1", "one", "--follow"]);
    expect(stdout.length).toBeGreaterThan(3_000_000);
    expect(stdout.endsWith("\n500000\n")).toBe(true);
    expect(box.run(["runs", "logs", "long-1", "1", "--follow"]).stdout).toBe(stdout);
    const typo = box.run(["runs", "logs", "long-1", "typo", "--follow"]);
    expect(typo).toMatchObject({ status: 3, stderr: expect.stringContaining('no step "typo"') as string });
  });

  it("follows a run that another process moves, to its end", async () => {
    const runner = await begin();
    const follower = box.start(["runs", "logs", "w-1", "three", "--follow"]);
    await until("what is there is printed", () => follower.output().includes("waits"));
    box.write("go", "");
    const { stdout, status } = await follower.ended;
    expect(status).toBe(0);
    expect(stdout).toContain("goes on\n");
    await runner.ended;
  });
});

describe("checkpoint runs watch", () => {
  it("shows what happens in a run that another process moves, and ends with its status", async () => {
    const runner = await begin();
    const watcher = box.start(["runs", "watch", "w"]);
    await until("it sees what runs", () => watcher.messages().includes("three  still running"));
    box.write("go", "");
    const { stdout, stderr, status } = await watcher.ended;
    expect(status).toBe(4);
    expect(stderr).toMatch(/\[x\] three/);
    expect(stdout).toContain("Ship it?");
    await runner.ended;
  });

  it("says how a run stands that nobody moves", () => {
    box.write("go", "");
    twice();
    expect(box.run(["runs", "watch", "w-1", "--json"]).status).toBe(4);
    expect(box.json("runs", "watch", "w-1")["run"]).toMatchObject({ status: "awaiting_approval" });
  });
});
