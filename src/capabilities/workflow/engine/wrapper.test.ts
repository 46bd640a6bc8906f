import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { CommandLine } from "../definition/source-words.ts";
import { readStatus } from "./attempt-folder.ts";
import { wrapped } from "./wrapper.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn wrapper-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function start(command: CommandLine) {
  const [program, ...args] = wrapped(command, folder);
  const env = { ...process.env, SNEAKY: "exec sh -c" };
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: "ignore" });
  return { child, ended: once(child, "exit") };
}

/** How the wrapper ended, and what it wrote down about it. */
async function run(command: CommandLine) {
  const [code] = (await start(command).ended) as [number | null];
  return { code, written: readStatus({ started: join(folder, "started") }) };
}

describe("a command under the wrapper", () => {
  it.each<[string, CommandLine, number]>([
    ["ends well", "true", 0],
    ["ends with the status of its last command", "true; false", 1],
    ["exits by itself", "exit 7; true", 7],
    ["exits in a function", "f() { exit 8; }; f; true", 8],
    ["stops at the first error", "set -eu; false; true", 1],
    ["goes elsewhere, and forbids to overwrite files", "cd /; set -C; umask 0777; exit 3", 3],
    ["replaces the shell", "exec sh -c 'exit 4'", 4],
    ["has a trap of its own", "trap 'exit 5' EXIT; true", 5],
    ["reads a file in that replaces the shell", "echo 'exec sh -c \"exit 6\"' > file; . ./file", 6],
    ["is no shell line at all", "if; (", 2],
    ["ends with a comment", "false # why not", 1],
    ["is not there", "no-such-command-anywhere", 127],
    ["is ended by a signal", "sh -c 'kill -9 $$'", 137],
    ["is words", ["sh", "-c", "exit 9"], 9],
  ])("has its status written when it %s", async (_, command, status) => {
    expect(await run(command)).toEqual({ code: status, written: status });
  });

  it("leaves the status to its parent when it replaces the shell unforeseen", async () => {
    expect(await run("$SNEAKY 'exit 3'")).toEqual({ code: 3, written: undefined });
  });

  it("does not start when its attempt is claimed already", async () => {
    writeFileSync(join(folder, "started"), "revoked\n");
    expect(await run("echo > ran")).toEqual({ code: 75, written: undefined });
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  it.each([
    ["a line", "./slow; echo > next"],
    ["a line apart", "eval ./slow; echo > next"],
    ["words", ["./slow"]],
  ])("says goodbye when its group is to end, and nothing follows it: %s", async (_, command) => {
    const slow = `#!/bin/sh\ntrap 'sleep 0.2; echo > goodbye; exit 0' TERM\necho > ready\nsleep 60 & wait\n`;
    writeFileSync(join(folder, "slow"), slow, { mode: 0o700 });
    const { child, ended } = start(command);
    await appears("ready");
    process.kill(-child.pid!, "SIGTERM");
    expect(await ended).toEqual([143, null]);
    expect(readStatus({ started: join(folder, "started") })).toBe(143);
    expect(existsSync(join(folder, "goodbye"))).toBe(true);
    expect(existsSync(join(folder, "next"))).toBe(false);
  });
});

async function appears(name: string): Promise<void> {
  const watcher = watch(folder);
  while (!existsSync(join(folder, name))) await once(watcher, "change");
  watcher.close();
}
