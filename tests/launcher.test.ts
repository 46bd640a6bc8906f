import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const LAUNCHER = join(import.meta.dirname, "../bin/checkpoint.js");
/** Makes the Node that loads it call itself an older one. */
const OLD_NODE = `--import=data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.20.2"}})`;

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "cairn-launcher-"));
  cpSync(LAUNCHER, join(checkout, "bin/checkpoint.js"));
  write("package.json", `{ "type": "module" }`);
});
afterEach(() => rmSync(checkout, { recursive: true }));

describe("bin/checkpoint.js", () => {
  it("runs the bundle with its arguments and passes its exit status on", () => {
    write("dist/cli/main.js", `console.log(process.argv.slice(2).join()); process.exitCode = 6;`);
    expect(launch(["now", "--json"])).toEqual({ status: 6, stdout: "now,--json\n", stderr: "" });
  });

  it("keeps compiled code in the user's cache folder", () => {
    write("dist/cli/main.js", `import module from "node:module"; console.log(module.getCompileCacheDir());`);
    const { stdout } = launch([], { env: { XDG_CACHE_HOME: join(checkout, "cache"), HOME: checkout } });
    expect(stdout).toContain(join("cairn", "compile-cache"));
    expect(stdout.startsWith(checkout)).toBe(true);
  });

  it("compiles without a cache rather than beside whatever it works on", () => {
    write("dist/cli/main.js", `import module from "node:module"; console.log(module.getCompileCacheDir());`);
    expect(launch([], { env: { XDG_CACHE_HOME: "cache", HOME: "" } }).stdout).toBe("undefined\n");
    expect(existsSync(join(checkout, "cache"))).toBe(false);
  });

  it("says how to build a checkout that is not built", () => {
    const stderr = "error: The command is not built yet: run npm run build in the checkout.\n";
    expect(launch([])).toEqual({ status: 8, stdout: "", stderr });
  });

  it("shows an error of the bundle as it is", () => {
    write("dist/cli/main.js", `import "./gone.js";`);
    expect(launch([])).toMatchObject({ status: 1, stderr: expect.stringContaining("gone.js") });
  });

  it("says which Node it needs when an older one runs it", () => {
    write("dist/cli/main.js", `console.log("must not run");`);
    const { status, stdout, stderr } = launch([], { nodeOptions: [OLD_NODE] });
    expect({ status, stdout }).toEqual({ status: 8, stdout: "" });
    expect(stderr).toMatch(
      /^error: checkpoint needs Node 24\.15 or newer \(or 22\.22\.3 and later 22\.x\); this is v.*\n$/,
    );
  });

  it("runs again with the Node of its checkout when an older one runs it", () => {
    installPinnedNode();
    write("dist/cli/main.js", `console.log(process.argv.slice(2).join()); process.exitCode = 3;`);
    expect(launch(["a", "b"], { nodeOptions: [OLD_NODE] })).toEqual({
      status: 3,
      stdout: "a,b\n",
      stderr: "",
    });
  });

  it.skipIf(process.platform === "win32")("passes signals on, and ends as the command ended", async () => {
    installPinnedNode();
    write(
      "dist/cli/main.js",
      `process.once("SIGTERM", () => process.kill(process.pid, "SIGKILL")); console.log("up"); setInterval(() => {}, 1000);`,
    );
    const child = spawn(process.execPath, [OLD_NODE, join(checkout, "bin/checkpoint.js")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  });
});

interface LaunchOptions {
  readonly env?: Record<string, string>;
  readonly nodeOptions?: readonly string[];
}

function launch(args: readonly string[], { env = {}, nodeOptions = [] }: LaunchOptions = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...nodeOptions, join(checkout, "bin/checkpoint.js"), ...args],
    { cwd: checkout, encoding: "utf8", env: { ...process.env, HOME: checkout, ...env } },
  );
  return { status, stdout, stderr };
}

function installPinnedNode(): void {
  mkdirSync(join(checkout, "node_modules/node/bin"), { recursive: true });
  const name = process.platform === "win32" ? "node.exe" : "node";
  symlinkSync(process.execPath, join(checkout, "node_modules/node/bin", name));
}

function write(name: string, text: string): void {
  mkdirSync(join(checkout, name, ".."), { recursive: true });
  writeFileSync(join(checkout, name), text);
}
