import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasTmux, Screen } from "./support/screen.ts";
import { Sandbox } from "./support/sandbox.ts";

if (!hasTmux) console.warn("SKIPPED: what a terminal shows is not tested, because tmux is not installed.");

describe.skipIf(!hasTmux)("a terminal of 80 columns", () => {
  let box: Sandbox;
  let screen: Screen;
  beforeEach(() => {
    box = new Sandbox();
    screen = new Screen(box);
  });
  afterEach(() => {
    screen.close();
    box.remove();
  });

  it("shows the whole id of what was brought back", async () => {
    box.run(["set", "A", "1"]);
    box.run(["set", "A", "2"]);
    box.run(["undo"]);
    const [head] = box.json("list")["checkpoints"] as { restored_from: string }[];
    screen.run("list");
    const seen = await screen.see("[exit 0]");
    expect(seen).toContain(`\n    back to ${head!.restored_from}\n`);
  });

  it("has room for what `sessions` says when there is none", () => {
    box.run(["now"]);
    for (const line of box.run(["sessions"]).stderr.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });
});
