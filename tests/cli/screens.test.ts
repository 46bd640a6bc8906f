import { realpathSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { skipLoudly } from "../faults/support/scale.ts";
import { hasTmux, Screen } from "./support/screen.ts";
import { Sandbox } from "./support/sandbox.ts";

/** What people see on a terminal of 80 columns, whole. After a change: npx vitest run tests/cli/screens.test.ts -u */
const golden = (name: string) => join(import.meta.dirname, "screens", `${name}.txt`);

let box: Sandbox;
let screen: Screen;
beforeEach(() => {
  // How long its path is decides where lines break, so it is the same on every machine.
  box = new Sandbox("/tmp");
  screen = new Screen(box);
});
afterEach(() => {
  screen.close();
  box.remove();
});

/** Without what differs from run to run; what takes its place is as wide. */
function stable(text: string): string {
  return box
    .stable(text)
    .replaceAll(/ckpt-\d{8}-\d{6}-[0-9a-f]{8}/g, "ckpt-20260123-120000-abcdef12")
    .replaceAll(/\d+(?:\.\d)? m?s ago|\d+ min ago/g, "just now")
    .replaceAll(/approved by \S+/g, "approved by USER")
    .replaceAll(/ +$/gm, "");
}

async function seen(command: string, typed?: (screen: Screen) => Promise<void>): Promise<string> {
  screen.run(command);
  await typed?.(screen);
  const text = (await screen.see(/\[exit \d+\]/)).replaceAll(/^>.*$/gm, "");
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  return `${stable(text).trimEnd()}\n`;
}

const STEPS = `name: release
steps:
  - { id: plan, run: echo plan }
  - { id: build-the-whole-thing, run: exit 3 }
`;
const ASKS = "name: ask\nsteps:\n  - { id: ship, approve: Ship it? }\n";

/** The screen of init shows paths, which are longer where /tmp is a link. */
const isTmpLink =
  hasTmux && realpathSync("/tmp") !== "/tmp" && skipLoudly("the screen of init", "/tmp is a link here");

describe.skipIf(!hasTmux)("screens of 80 columns", () => {
  it("runs: what does not fit goes below", async () => {
    box.write("w.yaml", STEPS);
    box.write("ask.yaml", ASKS);
    box.run(["run", "w.yaml", "--run-id", "release-20260123-120000-4c76"]);
    box.run(["run", "ask.yaml", "--run-id", "ask-20260123-120000-4c76"]);
    await expect(await seen("runs")).toMatchFileSnapshot(golden("runs"));
  });

  it.skipIf(isTmpLink)("init: no word is broken", async () => {
    box.write("../.claude/settings.json", "{}\n");
    // Whether the command is installed differs from machine to machine.
    screen.type("export PATH=/usr/bin:/bin", "Enter");
    await expect(await seen("init --yes --client claude")).toMatchFileSnapshot(golden("init"));
  });

  it("status: what blocks the work", async () => {
    box.run(["goal", "Ship the login page"]);
    box.run(["block", "No access to the staging server"]);
    await expect(await seen("status")).toMatchFileSnapshot(golden("status"));
  });

  it("log: a phase that says its number", async () => {
    box.run(["goal", "Ship it"]);
    box.run(["phase", "start", "Phase 5: Agent bootstrapping", "--number", "5"]);
    await expect(await seen("log")).toMatchFileSnapshot(golden("log"));
  });

  it("load: what was done last", async () => {
    const recent_outputs = [
      { type: "Bash", id: "#0", action: "Bash npm test", success: false, timestamp: "2026-01-23T12:00:00Z" },
      { type: "file", id: "a.ts", action: "edited", success: true, timestamp: "2026-01-23T12:00:00Z" },
    ];
    box.run(["goal", "Ship it"]);
    box.write("one.json", JSON.stringify({ ...box.json("load"), content_hash: undefined, recent_outputs }));
    box.run(["import", "one.json", "--trust", "--as", "other"]);
    await expect(await seen("load --trail other")).toMatchFileSnapshot(golden("load"));
  });

  it("log of a run: what happened, not its fields", async () => {
    box.write("w.yaml", STEPS);
    box.run(["run", "w.yaml", "--run-id", "release-1"]);
    await expect(await seen("log --trail run/release-1 --limit 3")).toMatchFileSnapshot(
      golden("log-of-a-run"),
    );
  });

  it("an answer that is not understood is said to be so", async () => {
    box.write("ask.yaml", ASKS);
    const text = await seen("run ask.yaml --run-id ask-1", async (terminal) => {
      await terminal.see("y approves");
      terminal.type("maybe", "Enter");
      await terminal.see('"maybe" is not an answer here.');
      terminal.type("y", "Enter");
    });
    await expect(text).toMatchFileSnapshot(golden("answer"));
  });

  it("a second Ctrl-C still says how to go on", async () => {
    box.write(
      "w.yaml",
      "name: w\nsteps:\n  - { id: wait, run: \"trap '' INT TERM; echo ready; sleep 20\" }\n",
    );
    const text = await seen("run w.yaml --run-id w-1", async (terminal) => {
      // Before it says so, a signal would end it.
      await terminal.see("ready");
      terminal.type("C-c");
      await terminal.see("pausing");
      terminal.type("C-c");
    });
    await expect(text).toMatchFileSnapshot(golden("second-ctrl-c"));
  });

  it("status: a run that was paused says so once, and how to go on", async () => {
    box.write("w.yaml", "name: w\nsteps:\n  - { id: wait, run: sleep 20 }\n");
    await seen("run w.yaml --run-id w-1", async (terminal) => {
      await terminal.see("Ctrl-C pauses");
      terminal.type("C-c");
    });
    screen.type("clear", "Enter");
    await screen.see(/^>\s*$/);
    await expect(await seen("status")).toMatchFileSnapshot(golden("paused"));
  });

  it("a map that is missing is called empty", async () => {
    box.write("w.yaml", "name: w\nenv:\nsteps:\n  -\n");
    await expect(await seen("run w.yaml")).toMatchFileSnapshot(golden("empty-map"));
  });

  it("trails: the one you work on, how long each is, and its last words", async () => {
    box.run([
      "now",
      "--notes",
      "Before the migration to another database, which takes all day and all night",
    ]);
    box.run(["fork", "--as", "try-redis", "--notes", "Perhaps it is quicker"]);
    await expect(await seen("trails")).toMatchFileSnapshot(golden("trails"));
  });

  it("constraint list: a long rule goes on under its text", async () => {
    box.run([
      "constraint",
      "Never touch the production database under any circumstances, not even for a quick look",
    ]);
    await expect(await seen("constraint list")).toMatchFileSnapshot(golden("constraint-list"));
  });

  it("log: corrections and outputs in words", async () => {
    box.run(["constraint", "Never touch production"]);
    box.run(["decide", "Use SQLite", "--why", "Nothing to install"]);
    box.run(["constraint", "edit", "1", "Never touch staging"]);
    box.run(["decision", "edit", "1", "--why", "One file"]);
    box.run(["output", "add", "build", "42", "--action", "npm", "--failed"]);
    await expect(await seen("log --limit 3")).toMatchFileSnapshot(golden("corrections"));
  });

  it("runs logs: which step printed what, and how it ended", async () => {
    box.write("w.yaml", STEPS);
    box.run(["run", "w.yaml", "--run-id", "release-1"]);
    await expect(await seen("runs logs release-1")).toMatchFileSnapshot(golden("runs-logs"));
  });

  it("runs show: neither remedies nor reasons are cut", async () => {
    box.write(
      "w.yaml",
      "name: w\nsteps:\n  - { id: plan, run: echo 1 > plan.md, outputs: [plan.md] }\n  - { id: bad, needs: [plan], run: exit 3 }\n",
    );
    box.run(["run", "w.yaml", "--run-id", "release-of-the-login-page"]);
    box.write("plan.md", "changed");
    const text = await seen("runs show release-of-the-login-page");
    await expect(
      text.replaceAll(/\d+ ms/g, "12 ms").replaceAll(/\d+ days ago/g, "9 days ago"),
    ).toMatchFileSnapshot(golden("runs-show"));
  });

  it("a question that is longer than the terminal is asked once, whatever is typed", async () => {
    const name = "a-trail-with-a-name-that-is-so-long-that-the-question-does-not-fit";
    box.run(["now", "--trail", name]);
    const text = await seen(`trails delete ${name}`, async (terminal) => {
      await terminal.see("[y/N]");
      terminal.type("no", "Enter");
    });
    await expect(text).toMatchFileSnapshot(golden("long-question"));
  });

  it("exec: a refusal is told to a person as any other error", async () => {
    box.write("cairn.yaml", "governance: on\n");
    await expect(await seen("exec -- echo hi")).toMatchFileSnapshot(golden("exec-refused"));
  });

  it("a run under LC_ALL=C is shown in ASCII", async () => {
    box.write("w.yaml", "name: w\nsteps:\n  - { id: wait, run: sleep 20 }\n");
    screen.type("export LC_ALL=C", "Enter");
    await seen("run w.yaml --run-id w-1", async (terminal) => {
      // oxlint-disable-next-line no-control-regex
      expect(await terminal.see("Ctrl-C pauses")).toMatch(/^[\x00-\x7f]*$/);
      terminal.type("C-c");
    });
  });

  it("a graph under LC_ALL=C is drawn in ASCII", async () => {
    for (const command of [
      ["set", "n", "1"],
      ["fork", "--as", "other"],
      ["set", "n", "2"],
    ])
      box.run(command);
    screen.type(`cd ${box.folder}; export LC_ALL=C`, "Enter");
    await expect(await seen("log --graph")).toMatchFileSnapshot(golden("graph"));
  });
});
