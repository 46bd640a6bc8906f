import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { Sandbox } from "../cli/support/sandbox.ts";
import { skipLoudly, TIMEOUT_MS } from "./support/scale.ts";
import { whyNoStrace } from "./support/strace.ts";

const isSkipped = whyNoStrace && skipLoudly("a restore that is killed at any change of a name", whyNoStrace);

/** What changes a name, or makes one durable. strace counts each by itself. */
const CALLS = ["?link,?linkat", "?unlink,?unlinkat", "fsync"];

describe.skipIf(isSkipped)("a restore that is killed", () => {
  it.each([
    ["a backup", ["backup", "all.backup"], ["backup", "restore", "all.backup"], 6],
    ["a mirror", ["mirror"], ["mirror", "restore"], 3],
  ] as const)(
    "of %s leaves a store that can be used once it is repeated, wherever it was killed",
    (_, keep, restore, refused) => {
      const box = new Sandbox();
      try {
        box.run(["goal", "Ship it"]);
        expect(box.run(keep).status).toBe(0);
        const [program = "", ...args] = box.argv(restore);
        let [kills, halfDone] = [0, 0];
        for (const call of CALLS) {
          for (let when = 1; ; when++) {
            rmSync(join(box.folder, ".cairn"), { recursive: true });
            const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:signal=KILL:when=${when}`];
            // Only the main thread, which gives the names: calls are counted for each thread, and others copy before it.
            const strace = ["-qq", "-o", "/dev/null", ...inject, program, ...args];
            const { signal } = spawnSync("strace", strace, { cwd: box.folder, env: box.environment() });
            const again = box.run(restore);
            expect([0, refused], `killed at ${call} ${when}: ${again.stderr}`).toContain(again.status);
            const after = box.run(["status", "--json"]);
            expect([after.status, after.stderr]).toEqual([0, ""]);
            expect(JSON.parse(after.stdout)).toMatchObject({ goal: "Ship it" });
            if (signal === null) break;
            kills++;
            if (again.status !== 0) halfDone++;
          }
        }
        // Before the store had its name, and after.
        expect(halfDone).toBeGreaterThan(0);
        expect(kills - halfDone).toBeGreaterThan(0);
      } finally {
        box.remove();
      }
    },
    TIMEOUT_MS,
  );
});
