import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, expect, it } from "vitest";
import { skipLoudly } from "../faults/support/scale.ts";
import { onSmallDisk, whyNoSmallDisk } from "../faults/support/small-world.ts";
import { Sandbox } from "./support/sandbox.ts";

const isSkipped = whyNoSmallDisk && skipLoudly("a project on a full disk", whyNoSmallDisk);

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

it.skipIf(isSkipped)(
  "a full disk: what was saved can be read, and saving says how much room it needs",
  () => {
    const checkpoint = box.commandLine();
    const script = `
    cd "$1"
    ${checkpoint} goal "Ship it" >/dev/null 2>&1
    dd if=/dev/zero of=fill bs=1k count=2000 2>/dev/null
    for command in load status list summary; do ${checkpoint} $command >/dev/null || echo "$command: $?"; done
    ${checkpoint} load | grep "Ship it"
    ${checkpoint} now 2>&1; echo "now: $?"
    ${checkpoint} doctor | grep -A1 FAIL
    rm fill
    ${checkpoint} now >/dev/null && echo "saved again"
  `;
    const [command = "", ...args] = onSmallDisk(box.folder, "400k");
    const { stdout, stderr } = spawnSync(command, [...args, "sh", "-c", script, "sh", box.folder], {
      env: box.environment(),
      encoding: "utf8",
    });
    expect(box.stable(stderr + stdout)).toMatchInlineSnapshot(`
      "Saved on main.
      Goal       Ship it
      error: The disk is full: there is no space left for the store "PROJECT/.cairn/store.sqlite". Nothing was changed.
      hint: Free at least 1 MB of disk space (0 kB are free), then try again. What was saved can be read.
      now: 1
      FAIL  store      The disk is full: there is no space left for the store "PROJECT/.cairn/store.sqlite". Nothing was changed.
                       try: Free at least 1 MB of disk space (0 kB are free), then try again. What was saved can be read.
      saved again
      "
    `);
  },
);
