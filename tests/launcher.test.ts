import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
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

  it("never stops an agent whose hook cannot run", () => {
    expect(launch(["hook"], { nodeOptions: [OLD_NODE] })).toMatchObject({
      status: 0,
      stdout: "",
      stderr: expect.stringContaining("checkpoint needs Node 24.15"),
    });
  });

  it("hides that Node 22 calls its SQLite experimental, and no other warning", () => {
    write(
      "dist/cli/main.js",
      `process.emitWarning("SQLite is an experimental feature", "ExperimentalWarning"); process.emitWarning("other");`,
    );
    const node22 = OLD_NODE.replace("20.20.2", "22.22.3");
    const { stderr } = launch([], { nodeOptions: [node22] });
    expect(stderr).toContain("other");
    expect(stderr).not.toContain("SQLite");
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

/** A command with a file of its own, as the build makes them: see scripts/bundle-command.ts. */
describe("a command that starts quickly", () => {
  const writeQuick = (id: string, body: string) =>
    write("dist/cli/quick/quick.js", `"${id}";(function(require,$load){${body}})`);
  const ID = "0123456789abcdef";
  const folder = () => join(checkout, "cache/cairn/code");
  const quick = () => launch(["quick"], { env: { XDG_CACHE_HOME: join(checkout, "cache") } });
  const kept = () => readdirSync(folder()).map((name) => join(folder(), name));

  it("gets Node's modules and whatever it loads later, and gives its exit status", () => {
    write("dist/cli/parts/later.js", `export const later = "later";`);
    writeQuick(
      ID,
      `const {sep}=require("node:path");$load("../parts/later.js").then(({later})=>{console.log(sep,later);process.exit(4)})`,
    );
    expect(quick()).toEqual({ status: 4, stdout: `${sep} later\n`, stderr: "" });
  });

  it("keeps its compiled code for the user alone, learns from a few runs, and then leaves it", () => {
    writeQuick(ID, `console.log("ran")`);
    const sizes = Array.from({ length: 7 }, () => {
      expect(quick()).toEqual({ status: 0, stdout: "ran\n", stderr: "" });
      expect(kept()).toHaveLength(1);
      return readFileSync(kept()[0]!).at(-1);
    });
    expect(sizes).toEqual([1, 2, 3, 4, 5, 5, 5]);
    const others = process.platform === "win32" ? 0 : statSync(folder()).mode & 0o077;
    expect(others).toBe(0);
  });

  it("keeps nothing of a run that failed", () => {
    writeQuick(ID, `process.exit(1)`);
    quick();
    expect(existsSync(folder())).toBe(false);
  });

  it("never takes code of another text for its own, even of the same length", () => {
    writeQuick(ID, `console.log("one")`);
    quick();
    writeQuick("fedcba9876543210", `console.log("two")`);
    expect(quick().stdout).toBe("two\n");
  });

  it("runs when what was kept is damaged, and replaces it", () => {
    writeQuick(ID, `console.log("ran")`);
    quick();
    for (const damage of [Buffer.alloc(0), Buffer.alloc(1), Buffer.alloc(5000, 7)]) {
      writeFileSync(kept()[0]!, damage);
      expect(quick()).toEqual({ status: 0, stdout: "ran\n", stderr: "" });
      expect(readFileSync(kept()[0]!)).not.toEqual(damage);
    }
  });

  it.skipIf(process.platform === "win32")("believes nothing in a folder that others can write to", () => {
    writeQuick(ID, `console.log("ran")`);
    quick();
    const before = readFileSync(kept()[0]!);
    chmodSync(folder(), 0o777);
    expect(quick().stdout).toBe("ran\n");
    expect(readFileSync(kept()[0]!)).toEqual(before);
  });

  it("runs where nothing can be kept", () => {
    writeQuick(ID, `console.log("ran")`);
    write("cache/cairn", "a file where the folder would be");
    expect(quick()).toEqual({ status: 0, stdout: "ran\n", stderr: "" });
  });

  it("forgets what was kept long ago", () => {
    writeQuick(ID, `console.log("ran")`);
    write("cache/cairn/code/old-version", "");
    chmodSync(folder(), 0o700);
    const longAgo = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
    utimesSync(join(folder(), "old-version"), longAgo, longAgo);
    quick();
    expect(kept()).toHaveLength(1);
    expect(kept()[0]).toContain(ID);
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
