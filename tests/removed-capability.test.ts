import { execFile } from "node:child_process";
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./cli/support/sandbox.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "..");
const NEEDED = [
  "src",
  "types",
  "scripts",
  "bin",
  "templates",
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
];

/** Where a capability has a line: the list, what programs import, and the suite of what it lets others write. */
const LISTS = ["src/capabilities/list.ts", "src/doors/library/project.ts", "src/testing/index.ts"];

interface Removed {
  readonly capability: string;
  /** A command that goes with it. */
  readonly command: readonly string[];
  /** The suite of a contract that goes with it. */
  readonly suite?: string;
}

const REMOVED: readonly Removed[] = [
  { capability: "governance", command: ["ledger"] },
  { capability: "sync", command: ["push"], suite: "src/testing/test-remote.ts" },
  { capability: "openai-agents", command: ["no-such-command"] },
  { capability: "langgraph", command: ["no-such-command"] },
];

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

describe.each(REMOVED)("a build without $capability", ({ capability, command, suite }) => {
  it("has sound types, and saves, lists, briefs and helps", async () => {
    const copy = copyWithout(capability, suite);
    await typesAreSound(copy);
    const launcher = await bundled(copy);
    const ran = (...args: readonly string[]) => box.runAlone(args, { launcher });
    for (const args of [["now"], ["goal", "Ship it"], ["list"], ["status"], ["verify"], ["doctor"], ["help"]])
      expect({ args, ...ran(...args) }).toMatchObject({ args, status: 0 });
    expect(ran("summary").stdout).toContain("Ship it");
    expect(ran(...command)).toMatchObject({ status: 2 });
  });
});

describe("a build without governance", () => {
  it("reads a store that was ever governed, and refuses to write it", async () => {
    box.write("cairn.yaml", "governance: on\n");
    expect(box.run(["now"])).toMatchObject({ status: 0 });
    box.write("cairn.yaml", "");
    const launcher = await bundled(copyWithout("governance"));
    expect(box.runAlone(["list"], { launcher })).toMatchObject({ status: 0 });
    const refused = box.runAlone(["goal", "Ship it"], { launcher });
    expect(refused).toMatchObject({ status: 8, stdout: "" });
    expect(refused.stderr).toContain('This project is governed, and this build has no "governance".');
  });
});

/** The sources without the folder of a capability, and without the lines that name it. */
function copyWithout(capability: string, suite?: string): string {
  const copy = join(box.home, "copy");
  for (const name of NEEDED)
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.endsWith(".test.ts"),
    });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  rmSync(join(copy, "src/capabilities", capability), { recursive: true });
  if (suite !== undefined) rmSync(join(copy, suite));
  const constant = capability.replaceAll(/-\w/g, (letter) => letter.slice(1).toUpperCase());
  const named = [`/${capability}/`, ...(suite === undefined ? [] : [`./${suite.replace(/.*\//, "")}"`])];
  for (const list of LISTS) {
    const lines = readFileSync(join(copy, list), "utf8").split("\n");
    const kept = lines.filter(
      (line) => line.trim() !== `${constant},` && !named.some((part) => line.includes(part)),
    );
    writeFileSync(join(copy, list), kept.join("\n"));
  }
  return copy;
}

async function typesAreSound(copy: string): Promise<void> {
  const config = {
    extends: "./tsconfig.json",
    include: ["types", "src"],
    exclude: ["src/doors/page/browser"],
  };
  writeFileSync(join(copy, "tsconfig.src.json"), JSON.stringify(config));
  const { stdout } = await run(process.execPath, [
    join(ROOT, "node_modules/typescript/bin/tsc"),
    "--project",
    join(copy, "tsconfig.src.json"),
  ]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
}

/** The command of these sources. */
async function bundled(copy: string): Promise<string> {
  await run(process.execPath, [join(copy, "scripts/bundle-command.ts")], { cwd: copy });
  return join(copy, "bin/checkpoint.js");
}
