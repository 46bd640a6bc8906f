import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const IN_THE_REPOSITORY = "../../src/doors/library/store.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-outside-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("has a store and a saver that work outside of the repository, with what the package exports", () => {
  const own = join(folder, "node_modules/cairn-checkpoint");
  for (const part of ["package.json", "dist"]) cpSync(join(ROOT, part), join(own, part), { recursive: true });
  for (const file of ["memory-store.ts", "memory-index.ts"]) {
    const text = readFileSync(join(ROOT, "examples/store", file), "utf8");
    expect(text).toContain(IN_THE_REPOSITORY);
    writeFileSync(join(folder, file), text.replaceAll(IN_THE_REPOSITORY, "cairn-checkpoint/store"));
  }
  copyFileSync(join(ROOT, "examples/saver/saver.mjs"), join(folder, "saver.mjs"));
  copyFileSync(join(import.meta.dirname, "suite.mjs"), join(folder, "suite.test.mjs"));
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const run = spawnSync(process.execPath, ["--test", "--test-reporter=tap", "suite.test.mjs"], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  expect({ status: run.status, output: run.status === 0 ? "" : run.stdout + run.stderr }).toEqual({
    status: 0,
    output: "",
  });
  expect(Number(/^# pass (\d+)$/m.exec(run.stdout)?.[1])).toBeGreaterThan(50);
});
