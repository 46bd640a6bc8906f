// Brings files back, and is killed at one of its changes of the disk: killed-rewind.ts ROOT HOME MOMENT POINT
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [root = "", home = "", moment = "", point = ""] = process.argv.slice(2);

/** Everything by which a rewind changes what others see. */
const CHANGING = [
  "chmodSync",
  "copyFileSync",
  "linkSync",
  "mkdirSync",
  "renameSync",
  "rmdirSync",
  "rmSync",
  "symlinkSync",
  "unlinkSync",
  "writeFileSync",
  "fsyncSync",
] as const;

let calls = 0;
const killAt = Number(point);

/** Each call is two points: just before it, and just after it. */
function pass(): void {
  if (++calls === killAt) process.kill(process.pid, "SIGKILL");
}

const own = fs as unknown as Record<string, (...given: unknown[]) => unknown>;
for (const name of CHANGING) {
  const call = own[name] as (...given: unknown[]) => unknown;
  own[name] = (...given) => {
    pass();
    const result = call(...given);
    pass();
    return result;
  };
}
syncBuiltinESMExports();

const { openProject } = await import("../../../src/doors/library/open-project.ts");
const { rewind } = await import("../../../src/doors/library/project.ts");
const project = openProject({ path: root, env: { PATH: process.env["PATH"] ?? "", HOME: home } });
await rewind(project, moment === "undo" ? { undo: true } : { id: moment });
await project.stores.close();
fs.writeSync(1, String(calls));
