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

/** What a script prints whose `$1` is the project, on a disk of its own. */
function printedOnSmallDisk(script: string): string {
  const [command = "", ...args] = onSmallDisk(box.folder, "400k");
  const { stdout, stderr } = spawnSync(command, [...args, "sh", "-c", script, "sh", box.folder], {
    env: box.environment(),
    encoding: "utf8",
  });
  return box.stable(stderr + stdout);
}

it.skipIf(isSkipped)("a template that cannot be copied to a read-only disk says so", () => {
  const script = `mount -o remount,ro "$1" && cd "$1" && ${box.commandLine()} templates eight-agents --to flows/mine`;
  expect(printedOnSmallDisk(script)).toMatchInlineSnapshot(`
    "error: "PROJECT/flows" is on a read-only disk.
    hint: Work in a folder that can be written.
    "
  `);
});

it.skipIf(isSkipped)("saving on a read-only disk says so, and what was saved can be read", () => {
  const checkpoint = box.commandLine();
  const script = `
    cd "$1"
    ${checkpoint} goal "Ship it" >/dev/null 2>&1
    mount -o remount,ro "$1"
    ${checkpoint} now 2>&1; echo "now: $?"
    ${checkpoint} load | grep "Ship it"
  `;
  expect(printedOnSmallDisk(script)).toMatchInlineSnapshot(`
    "error: The store "PROJECT/.cairn/store.sqlite" cannot be written: it or its folder is read-only.
    hint: Make the folder writable for you, or choose another one.
    now: 1
    Goal       Ship it
    "
  `);
});

it.skipIf(isSkipped)("the first save on a full disk says so, and leaves nothing in its way", () => {
  const checkpoint = box.commandLine();
  const script = `
    cd "$1"
    git init -q .
    dd if=/dev/zero of=fill bs=1k count=2000 2>/dev/null
    ${checkpoint} goal "Ship it" 2>&1; echo "goal: $?"
    ${checkpoint} doctor | grep -A1 -E "^(FAIL|warn) *disk"
    rm fill
    ${checkpoint} goal "Ship it" >/dev/null 2>&1 && echo saved && git status --short
  `;
  expect(printedOnSmallDisk(script)).toMatchInlineSnapshot(`
    "error: "PROJECT/.cairn/.gitignore" cannot be written: the disk is full.
    hint: Free at least 1 MB of disk space, then try again.
    goal: 1
    warn  disk       Only 0 B is free on the disk of PROJECT.
                     try: Free some disk space.
    saved
    "
  `);
});

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
    expect(printedOnSmallDisk(script)).toMatchInlineSnapshot(`
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

it.skipIf(isSkipped)("a push to a full disk says so, and leaves no part of a file there", () => {
  const checkpoint = box.commandLine();
  const script = `
    mkdir "$HOME/other" && cd "$HOME/other"
    head -c 900000 /dev/urandom | base64 > large
    ${checkpoint} set large --file large >/dev/null 2>&1
    ${checkpoint} remote add origin "file://$1/share" >/dev/null 2>&1
    ${checkpoint} push 2>&1; echo "push: $?"
    find "$1/share" -name "*.tmp"
  `;
  expect(printedOnSmallDisk(script)).toMatchInlineSnapshot(`
    "error: A file cannot be written: the disk is full.
    hint: Free at least 1 MB of disk space, then try again.
    push: 1
    "
  `);
});
