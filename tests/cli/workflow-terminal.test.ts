import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasTmux, Screen } from "./support/screen.ts";
import { Sandbox } from "./support/sandbox.ts";

const WORKFLOW = `name: build
inputs:
  token: { secret: true, required: true }
steps:
  - id: plan
    run: |
      printf 'working with %s \\033[31min red\\033[0m on a line that is longer than any terminal should be wide, by far\\n' "$INPUT_TOKEN"
      [ "$CAIRN_ATTEMPT" -ge 2 ] || while test ! -f go; do sleep 0.05; done
      echo planned > plan.md
    outputs: [plan.md]
  - id: ship
    approve: Ship this plan?
  - id: build
    run: "true"
`;

if (!hasTmux) console.warn("SKIPPED: what a terminal shows is not tested, because tmux is not installed.");

describe.skipIf(!hasTmux)("a run on a terminal of 80 columns", () => {
  let box: Sandbox;
  let screen: Screen;
  beforeEach(() => {
    // How long its path is decides where lines break, so it is the same on every machine.
    box = new Sandbox("/tmp");
    box.write("build.yaml", WORKFLOW);
    screen = new Screen(box);
  });
  afterEach(() => {
    screen.close();
    box.remove();
  });
  const stable = (text: string) =>
    text.replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "*").replaceAll(/\d+(?:\.\d+)? m?s\b/g, "N s");

  /** Starts the run, gives the secret, and waits until it works. */
  async function begin(): Promise<string> {
    screen.run("run build.yaml --run-id b-1");
    const asked = await screen.see("token (not shown):");
    screen.type("canary-4711", "Enter");
    await screen.see("working with");
    return asked;
  }

  it("asks for secrets without showing them, and shows what goes on", async () => {
    await begin();
    const seen = screen.text();
    expect(seen).not.toContain("canary-4711");
    expect(screen.isCursorShown()).toBe(false);
    expect(stable(box.stable(seen)).split("\n").slice(1).join("\n")).toMatchInlineSnapshot(`
      "Created PROJECT/.cairn, which keeps itself out of git.
      b-1 starts: 3 steps
      [*] plan  N s
          working with [secret] in red on a line that is longer than any terminal sh…
      [ ] then ship, build
      ░░░░░░░░░░░░░░░░░░░░░░░░  0 %  0 of 3 steps  N s  Ctrl-C pauses"
    `);
    for (const line of seen.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("asks its questions there, takes the answer, and cleans up", async () => {
    await begin();
    box.write("go", "");
    expect(
      stable(await screen.see("  > "))
        .split("\n")
        .slice(3)
        .join("\n"),
    ).toMatchInlineSnapshot(`
      "[x] plan  N s  plan.md
      [ ] then build
      [?] ship  Ship this plan?
          to review: plan.md
          y approves, n REASON rejects, Enter decides later
        > ▏
      ████████░░░░░░░░░░░░░░░░  33 %  1 of 3 steps  N s  Ctrl-C pauses"
    `);
    screen.type("perhaps", "Enter");
    // The prompt was there before: only the refusal shows that the first answer was read.
    await screen.see('"perhaps" is not an answer here.');
    screen.type("y", "Enter");
    const seen = (await screen.see("[exit 0]")).replace(/(?<=\[exit 0\])[\s\S]*/, "");
    expect(stable(seen).split("\n").slice(3).join("\n").replace(/by .*/, "by WHO")).toMatchInlineSnapshot(`
      "[x] plan  N s  plan.md
      [x] ship  approved by WHO
      [x] build  N s
      b-1  completed  3 of 3 steps

      To see more
        checkpoint artifacts b-1            # what it produced
        checkpoint summary --trail run/b-1  # a briefing on it
      [exit 0]"
    `);
    expect(screen.isCursorShown()).toBe(true);
  });

  it("goes on when somebody else answers first", async () => {
    await begin();
    box.write("go", "");
    await screen.see("  > ");
    expect(box.see("approve", "b-1", "--by", "Ada")).toMatchInlineSnapshot(`
      "ship  approved  by Ada (as given)
      ! Its runner is alive and continues by itself."
    `);
    expect(await screen.see("[exit 0]")).toContain("[x] ship  approved by Ada");
  });

  it("pauses at Ctrl-C, also while it asks, and offers to resume", async () => {
    await begin();
    box.write("go", "");
    await screen.see("  > ");
    screen.type("C-c");
    const paused = await screen.see("[exit 130]");
    expect(paused).toContain("b-1  paused  1 of 3 steps");
    expect(screen.isCursorShown()).toBe(true);
    screen.run("run build.yaml");
    expect(await screen.see("[Y/n]")).toMatchInlineSnapshot(`
      "Run b-1 of this workflow is paused: 1 of 3 steps done (33 %), just now.
      Resume from ship? [Y/n]"
    `);
    screen.type("Enter");
    await screen.see("token (not shown):");
    screen.type("canary-4711", "Enter");
    await screen.see("  > ");
    screen.type("n too early", "Enter");
    const rejected = await screen.see("[exit 1]");
    expect(rejected).toMatch(/\[!\] ship {2}rejected by .*, because: too early/);
    // Once is enough for somebody who has just seen it.
    expect(rejected.match(/too early/g)).toHaveLength(1);
  });

  it("ends at once at a second Ctrl-C, and leaves a tidy screen", async () => {
    box.write(
      "deaf.yaml",
      "name: deaf\nsteps: [{ id: a, run: \"trap '' TERM INT; echo ready; while test ! -f go; do sleep 0.05; done\" }]\n",
    );
    screen.run("run deaf.yaml --run-id d-1");
    // Before it says so, a signal would end it.
    await screen.see("ready");
    screen.type("C-c");
    await screen.see("Ctrl-C again ends at once");
    screen.type("C-c");
    const seen = await screen.see("[exit 130]");
    box.write("go", "");
    expect(seen).toContain("d-1 starts: 1 step\ninterrupted\nTo continue: checkpoint resume d-1\n[exit 130]");
    expect(screen.isCursorShown()).toBe(true);
  });

  it("plans within 80 columns", async () => {
    box.write(
      "long.yaml",
      "name: long\nsteps:\n  - { id: a-rather-long-name-of-a-step, run: 'echo something that is long too; exit 1' }\n",
    );
    box.run(["run", "long.yaml", "--run-id", "l-1"]);
    screen.run("resume l-1 --dry-run");
    const seen = await screen.see("[exit 0]");
    expect(seen).toMatch(
      /^\[>\] a-rather-long-name-of-a-step {2}failed: It ended with statu… {2}echo something…$/m,
    );
  });

  it("archives the unfinished run and starts afresh when the answer is no", async () => {
    await begin();
    screen.type("C-c");
    await screen.see("[exit 130]");
    screen.run("run build.yaml");
    await screen.see("Resume from plan? [Y/n]");
    screen.type("n", "Enter");
    await screen.see("token (not shown):");
    screen.type("canary-4711", "Enter");
    expect(await screen.see("working with")).toMatch(/^Archived b-1 as b-1_/m);
    screen.type("C-c");
    await screen.see("[exit 130]");
  });

  it("lets people choose among what is unfinished", async () => {
    box.run(["goal", "Ship it"]);
    box.run(["task", "add", "Write the notes"]);
    await begin();
    screen.type("C-c");
    await screen.see("[exit 130]");
    screen.run("resume");
    const seen = await screen.see("Go on with which?");
    expect(seen).toContain("trail main  in progress");
    expect(seen).toContain("checkpoint resume b-1");
    const number = /^(\d) {2}trail main/m.exec(seen)?.[1] ?? "";
    screen.type("7", "Enter", number, "Enter");
    expect(await screen.see("[exit 0]")).toContain("Write the notes");
  });

  it("draws nothing and paints nothing where that is not wanted", async () => {
    box.write("plain.yaml", "name: plain\nsteps: [{ id: a, run: 'true' }]\n");
    screen.run("run plain.yaml --run-id p-1 2> err.txt");
    await screen.see("[exit 0]");
    expect(readFileSync(join(box.folder, "err.txt"), "utf8")).not.toContain("\u{1b}");
  });
});
