import { join } from "node:path";
import { expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";
import { hasTmux, Screen } from "./support/screen.ts";

const DEMO = join(import.meta.dirname, "../../examples/demo/main.ts");

if (!hasTmux) console.warn("SKIPPED: the demo is not seen in a terminal, because tmux is not installed.");

/** The first thing that a newcomer runs. It checks itself, and says what did not go as planned. */
it.skipIf(!hasTmux)("the demo goes as planned in a terminal, with its colours", async () => {
  const box = new Sandbox();
  const screen = new Screen(box);
  try {
    screen.type(`${process.execPath} ${DEMO}; echo "[exit $?]"`, "Enter");
    expect(await screen.see(/\[exit \d+\]/)).toContain("[exit 0]");
  } finally {
    screen.close();
    box.remove();
  }
});
