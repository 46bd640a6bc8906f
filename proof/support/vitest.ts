import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

import type { World } from "./part.ts";

const VITEST = resolve(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");

/** Runs test files as a full run does, and returns what they report. Throws when one fails. */
export async function runTests(world: World, files: readonly string[]): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [VITEST, "run", "--testTimeout", "600000", "--hookTimeout", "600000", ...files],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        CAIRN_SEED: String(world.seed),
        ...(world.isQuick ? {} : { CAIRN_FAULTS: "full" }),
        NO_COLOR: "1",
      },
    },
  );
  const said: string[] = [];
  const reported: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      said.push(line);
      const report = /^faults: (.*)$/.exec(line)?.[1];
      if (report !== undefined) reported.push(report);
      if (line.includes("✓")) world.progress(line.trim());
    });
  }
  const status = await new Promise((ended) => child.once("close", ended));
  const skipped = said.filter((line) => line.startsWith("SKIPPED, NOT TESTED HERE"));
  if (status !== 0) throw new Error(said.slice(-60).join("\n"));
  if (skipped.length > 0) throw new Error(skipped.join("\n"));
  return reported;
}
