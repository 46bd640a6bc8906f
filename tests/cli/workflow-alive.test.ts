import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";
import { until } from "./support/until.ts";

/** The first attempt of `slow` waits for a file; every start of a step is counted. */
const WORKFLOW = `name: w
steps:
  - id: first
    run: echo "first $CAIRN_ATTEMPT" >> log.txt
  - id: slow
    run: |
      $IGNORE
      echo "slow $CAIRN_ATTEMPT $$" >> log.txt
      [ "$CAIRN_ATTEMPT" -ge 2 ] || while test ! -f go; do sleep 0.05; done
  - id: ok
    needs: []
    approve: Is it ok?
  - id: last
    needs: [ok]
    run: echo "last $CAIRN_ATTEMPT" >> log.txt
`;

// Real processes and real signals.
describe("a run and its processes", () => {
  let box: Sandbox;
  const ends: (() => void)[] = [];
  beforeEach(() => {
    box = new Sandbox();
    write("");
  });
  afterEach(() => {
    for (const end of ends.splice(0)) end();
    box.remove();
  });
  const write = (ignore: string) => box.write("w.yaml", WORKFLOW.replace("$IGNORE", ignore));
  const log = () => {
    const path = join(box.folder, "log.txt");
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  const starts = () => log().replaceAll(/ \d+$/gm, (text) => (text.length > 2 ? "" : text));
  const stepPid = () => Number(/^slow 1 (\d+)$/m.exec(log())?.[1]);
  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  /** Starts the run, and waits until `slow` waits and the question is asked. */
  async function begin() {
    const runner = box.start(["run", "w.yaml", "--run-id", "w-1"]);
    ends.push(() => {
      runner.child.kill("SIGKILL");
      const pid = stepPid();
      if (pid > 0 && isAlive(pid)) process.kill(pid, "SIGKILL");
    });
    await until("slow runs", () => stepPid() > 0);
    await until("the question is asked", () => runner.messages().includes("Is it ok?"));
    return runner;
  }

  it("goes on after kill -9 of the runner, with the command that still runs", async () => {
    const { child, ended } = await begin();
    child.kill("SIGKILL");
    await ended;
    expect(box.see("resume", "--list")).toMatchInlineSnapshot(`
      "1  run w-1  interrupted
         25 %, 1 of 4 steps, 1 min ago
         next: slow, ok
         checkpoint resume w-1"
    `);
    const second = box.start(["resume", "w-1"]);
    await until("it is re-attached", () => second.messages().includes("slow  still running"));
    box.write("go", "");
    expect(box.asSeen(await second.ended)).toMatchInlineSnapshot(`
      "w-1  awaiting approval  2 of 4 steps
      [?] ok  Is it ok?

      To continue
        checkpoint approve w-1              # yes
        checkpoint reject w-1 --reason "…"  # no
        checkpoint resume w-1               # then continue
      ! w-1 resumes: 1 of 4 steps done
      !     done: first
      !     next: slow, ok
      !     last activity: 2 min ago
      ! [>] slow  still running
      ! [x] slow  2 min
      [exit 4]"
    `);
    expect(starts()).toBe("first 1\nslow 1\n");
  });

  it("runs a step again that died with its runner, and nothing else", async () => {
    const { child, ended } = await begin();
    child.kill("SIGKILL");
    await ended;
    process.kill(-stepGroup(), "SIGKILL");
    await until("the step is gone", () => !isAlive(stepPid()));
    box.run(["approve", "w-1"]);
    const { status, stderr } = box.run(["resume", "w-1"]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^w-1 resumes: 2 of 4 steps done$/m);
    expect(stderr).toMatch(/^\[>\] slow {2}attempt 2$/m);
    expect(starts().split("\n").toSorted()).toEqual(["", "first 1", "last 1", "slow 1", "slow 2"]);
  });

  it("takes a decision from another process while its runner lives", async () => {
    const { ended } = await begin();
    expect(box.see("approve", "w-1", "--by", "Ada")).toMatchInlineSnapshot(`
      "ok  approved  by Ada (as given)
      ! Its runner is alive and continues by itself."
    `);
    await until("what waited for it runs", () => log().includes("last 1"));
    box.write("go", "");
    const { status, stderr } = await ended;
    expect(status).toBe(0);
    expect(stderr).toContain("[x] ok  approved by Ada");
  });

  it("lets nobody else move it, and says what to do", async () => {
    await begin();
    const hideProcess = (text: string) => text.replaceAll(/Process \d+ on \S+/g, "Process N on HOST");
    const hideTime = (text: string) => text.replaceAll(/since \S+Z/g, "since TIME");
    expect(hideTime(hideProcess(box.see("resume", "w-1")))).toMatchInlineSnapshot(`
      "! error: Run "w-1" cannot simply be resumed:
      ! Process N on HOST has been running it since TIME.
      ! hint: Let it finish, or if it hangs: checkpoint resume w-1 --take-over
      [exit 6]"
    `);
    expect(hideProcess(box.see("run", "w.yaml"))).toMatchInlineSnapshot(`
      "! error: Process N on HOST is moving run "w-1" of this workflow right now.
      ! hint: To see where it stands: checkpoint runs show w-1
      ! To start another beside it: checkpoint run w.yaml --run-id NAME
      [exit 6]"
    `);
  });

  it("is listed with where to look, as nothing else is to be done", async () => {
    await begin();
    expect(box.see("resume", "--list")).toContain("checkpoint runs watch w-1");
  });

  it("ends a command whose step was taken out of the definition", async () => {
    const { child, ended } = await begin();
    child.kill("SIGKILL");
    await ended;
    box.write("w.yaml", WORKFLOW.replace(/ {2}- id: slow[\s\S]*(?= {2}- id: ok)/, ""));
    const { status, stderr } = box.run(["resume", "w-1"]);
    expect(status).toBe(4);
    expect(stderr).toContain("The workflow was edited since (gone: slow).");
    await until("the step is gone", () => !isAlive(stepPid()));
  });

  it("pauses at Ctrl-C: what runs is ended, and the next resume goes on", async () => {
    const { child, ended } = await begin();
    child.kill("SIGINT");
    expect(box.asSeen(await ended)).toMatchInlineSnapshot(`
      "w-1  paused  1 of 4 steps
      Stopped with Ctrl-C.
      [?] ok  Is it ok?

      To continue
        checkpoint resume w-1  # continues exactly here
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! w-1 starts: 4 steps
      ! [?] ok  Is it ok?
      ! [>] first
      ! [x] first  0 ms
      ! [>] slow
      ! Pausing: running steps are being stopped. Press Ctrl-C again to quit at once.
      ! [!] slow  The run was paused.
      [exit 130]"
    `);
    await until("the step is gone", () => !isAlive(stepPid()));
    box.run(["approve", "w-1"]);
    expect(box.run(["resume", "w-1"]).status).toBe(0);
    expect(starts().split("\n").toSorted()).toEqual(["", "first 1", "last 1", "slow 1", "slow 2"]);
  });

  it("ends at once at a second Ctrl-C; what still runs can be ended by the next resume", async () => {
    write("trap '' TERM");
    const { child, ended, messages } = await begin();
    child.kill("SIGINT");
    await until("it says that it pauses", () => messages().includes("Ctrl-C again to quit at once"));
    child.kill("SIGINT");
    const { status, stderr } = await ended;
    expect({ status, last: stderr.trimEnd().split("\n").at(-1) }).toEqual({
      status: 130,
      last: "To continue: checkpoint resume w-1",
    });
    expect(isAlive(stepPid())).toBe(true);
    box.run(["approve", "w-1"]);
    expect(box.run(["resume", "w-1", "--kill-orphans"]).status).toBe(0);
    await until("the step is gone", () => !isAlive(stepPid()));
  });

  it("is cancelled from another process: what runs is ended", async () => {
    const { ended } = await begin();
    expect(box.see("cancel", "w-1")).toMatchInlineSnapshot(`"w-1  cancelled  1 of 4 steps"`);
    const { status, stdout } = await ended;
    expect({ status, first: stdout.split("\n")[0] }).toEqual({
      status: 1,
      first: "w-1  cancelled  1 of 4 steps",
    });
    await until("the step is gone", () => !isAlive(stepPid()));
  });

  it("is taken over from a runner that hangs, which can change nothing any more", async () => {
    const { child, ended } = await begin();
    child.kill("SIGSTOP");
    box.run(["approve", "w-1"]);
    const second = box.start(["resume", "w-1", "--take-over"]);
    await until("it is re-attached", () => second.messages().includes("slow  still running"));
    box.write("go", "");
    expect((await second.ended).status).toBe(0);
    child.kill("SIGCONT");
    const { status, stderr } = await ended;
    expect(status).toBe(6);
    expect(stderr).toMatch(/taken over/);
    expect(starts().split("\n").toSorted()).toEqual(["", "first 1", "last 1", "slow 1"]);
    rmSync(join(box.folder, "go"));
  });

  it("pauses when it crashes again and again with nobody there, until somebody means it", () => {
    box.write("crash.yaml", "name: crash\nsteps:\n  - id: deadly\n    run: test -f go || kill -9 $PPID $$\n");
    const statuses = [box.runAlone(["run", "crash.yaml", "--run-id", "c-1"]).status];
    for (let turn = 0; turn < 3; turn++) statuses.push(box.runAlone(["resume", "--yes"]).status);
    expect(statuses).toEqual([null, null, null, 130]);
    expect(box.see("resume", "--yes").split("\n")[0]).toBe("c-1  paused  0 of 1 step");
    box.write("go", "");
    expect(box.run(["resume", "c-1"]).status).toBe(0);
  });

  /** The wrapper leads the group of the step. */
  function stepGroup(): number {
    const started = join(box.folder, ".cairn/runs/w-1/steps/slow@1/started");
    return Number(readFileSync(started, "utf8").split("\n")[0]);
  }
});
