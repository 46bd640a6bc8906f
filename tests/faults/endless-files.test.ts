import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { Sandbox } from "../cli/support/sandbox.ts";

/** Every path that a command reads because a repository, the user's folders or an argument names it. */
const READS: Readonly<Record<string, readonly string[]>> = {
  "cairn.yaml": ["now"],
  "../.config/cairn/config.yaml": ["now"],
  "flow.yaml": ["run", "flow.yaml"],
  "plan.md": ["import", "plan.md"],
  "old.cairn": ["import", "old.cairn"],
  "value.txt": ["set", "size", "--file", "value.txt"],
  "anchor.json": ["ledger", "verify", "--anchor", "anchor.json"],
  "signed.json": ["authority", "submit", "signed.json"],
  "key.txt": ["key", "import", "key.txt"],
  "AGENTS.md": ["init", "--client", "agents-md", "--yes"],
};

/** These do without what they cannot read, and go on. */
const DOES_WITHOUT: Readonly<Record<string, readonly string[]>> = {
  "docs/progress/login.md": ["status"],
  ".cairn/spool/1-event.json": ["now"],
  ".cairn/hooks.log": ["doctor"],
};

const KINDS: Readonly<Record<string, (path: string) => void>> = {
  pipe: (path) => void spawnSync("mkfifo", [path]),
  device: (path) => symlinkSync("/dev/zero", path),
};

describe.skipIf(process.platform === "win32")("a file that never ends", () => {
  let box: Sandbox;
  beforeEach(() => {
    box = new Sandbox();
    expect(box.run(["now"]).status).toBe(0);
  });
  afterEach(() => box.remove());

  const runWith = (kind: string, path: string, args: readonly string[]) => {
    const planted = join(box.folder, path);
    mkdirSync(dirname(planted), { recursive: true });
    rmSync(planted, { force: true });
    KINDS[kind]!(planted);
    return box.run(args);
  };

  for (const kind of Object.keys(KINDS)) {
    it.each(Object.entries(READS))(`is refused, not waited for: a ${kind} as %s`, (path, args) => {
      const { status, stderr } = runWith(kind, path, args);
      expect({ path, status, stderr }).toMatchObject({ status: expect.not.toBeOneOf([0, null]) });
      expect(stderr).toMatch(/not a (?:regular )?file|is a pipe|a symbolic link/);
      expect(stderr).not.toMatch(/bug in Cairn/);
    });

    it.each(Object.entries(DOES_WITHOUT))(`is left out: a ${kind} as %s`, (path, args) => {
      expect(runWith(kind, path, args)).toMatchObject({ status: 0 });
    });
  }
});
