import { spawnSync } from "node:child_process";
import { chownSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

import { Sandbox } from "../cli/support/sandbox.ts";
import { whyNoStrace } from "./support/strace.ts";

const LAUNCHER = join(import.meta.dirname, "../../bin/checkpoint.js");
const NOBODY = 65_534;
const whyNot = process.geteuid?.() === 0 ? whyNoStrace : "only root can give files away";
if (whyNot !== undefined) console.log(`skipped, who owns what root writes: ${whyNot}`);

it.skipIf(whyNot !== undefined)(
  "root gives the settings that it writes to their owner by the open file, never by a name that a link could replace",
  () => {
    const box = new Sandbox();
    try {
      const settings = join(box.folder, "AGENTS.md");
      writeFileSync(settings, "# Ours\n");
      for (const path of [box.folder, settings]) chownSync(path, NOBODY, NOBODY);
      const log = join(box.home, "strace.log");
      const trace = ["-f", "-qq", "-o", log, "-e", "trace=chown,lchown,fchown,fchownat"];
      const init = [process.execPath, LAUNCHER, "init", "--client", "agents-md", "--yes"];
      const ran = spawnSync("strace", [...trace, ...init], {
        cwd: box.folder,
        env: { HOME: box.home, PATH: process.env["PATH"] },
        encoding: "utf8",
      });
      expect({ status: ran.status, stderr: ran.stderr }).toMatchObject({ status: 0 });
      expect(readFileSync(settings, "utf8")).toContain("checkpoint");
      expect(statSync(settings).uid).toBe(NOBODY);
      const calls = [...readFileSync(log, "utf8").matchAll(/(\w*chown\w*)\(/g)].map(([, name]) => name);
      expect(new Set(calls)).toEqual(new Set(["fchown"]));
    } finally {
      box.remove();
    }
  },
);
