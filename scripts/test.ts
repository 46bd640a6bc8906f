// npm test: all checks and all tests. Arguments go to vitest: npm test -- some.test.ts
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.ts";
import { checkSources } from "./check.ts";
import { step, toolPath } from "./steps.ts";

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm";
const ROOM_NEEDED_BYTES = 4e9;

await step("build (tsc, esbuild)", build);

// Without a terminal the log is for programs, which look for the plain summary at its end.
const isPlain = !process.stdout.isTTY && process.env["FORCE_COLOR"] === undefined;
// Tests make thousands of stores, and most of their time would be waiting for the disk to sync them.
const folder = isMemoryUsable() ? mkdtempSync(join(MEMORY, "cairn-")) : undefined;
// As the system's own: servers run as other users.
if (folder !== undefined) chmodSync(folder, 0o1777);
const env = { ...process.env, ...(isPlain && { NO_COLOR: "1" }), ...(folder && { TMPDIR: folder }) };
const args = [toolPath("vitest"), "run", ...process.argv.slice(2)];
// Tests need what was built, and nothing of the checks: these take the time that tests wait. A check that fails ends the tests.
const tests = spawn(process.execPath, args, { stdio: "inherit", env });
process.on("exit", () => {
  tests.kill();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
const ended = once(tests, "exit");
await checkSources();
const [status] = (await ended) as [number | null];
process.exitCode = status ?? 1;

function isMemoryUsable(): boolean {
  if (process.env["TMPDIR"] !== undefined || !existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  // Tests write programs and run them.
  const isNoExec = new RegExp(`^\\S+ ${MEMORY} .*\\bnoexec\\b`, "m").test(
    readFileSync("/proc/mounts", "utf8"),
  );
  return bavail * bsize >= ROOM_NEEDED_BYTES && !isNoExec;
}
