// The example graph, killed again and again: it continues each time, and what was saved is never done again.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const STEPS = 12;

it("continues after every kill -9, and ends with each item done", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-example-"));
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"), "junction");
  copyFileSync(join(import.meta.dirname, "support/graph.mjs"), join(folder, "graph.mjs"));
  const options = { cwd: folder, env: { ...process.env, STEPS: String(STEPS) } };
  const lines = () => {
    const file = join(folder, "done.txt");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
  };
  let kills = 0;
  for (let before = 0; before < STEPS - 2; before = lines().length) {
    const child = spawn(process.execPath, ["graph.mjs"], { ...options, stdio: "ignore" });
    const ended = once(child, "exit");
    await expect
      .poll(() => lines().length >= before + 2 || child.exitCode !== null, { interval: 2, timeout: 30_000 })
      .toBe(true);
    if (child.kill("SIGKILL")) kills++;
    await ended;
  }
  expect(kills).toBeGreaterThan(2);
  const run = (...args) =>
    spawnSync(process.execPath, ["graph.mjs", ...args], { ...options, encoding: "utf8" });
  // The last one that was killed may have been done already, and only have had to ask.
  expect(`${run().stdout}${run().stdout}`).toContain("It asks: node graph.mjs yes");
  expect(run("yes").stdout).toContain("Approved: yes");
  const done = lines();
  expect([...new Set(done)]).toEqual(Array.from({ length: STEPS }, (_, at) => at + 1));
  // Killed between its work and its save, a step is done again: once for each kill at most, and no other ever.
  expect(done.length - STEPS).toBeLessThanOrEqual(kills);
  expect(done.toSorted((a, b) => a - b)).toEqual(done);
  rmSync(folder, { recursive: true });
});
