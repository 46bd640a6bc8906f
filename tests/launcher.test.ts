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
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const BIN = join(import.meta.dirname, "../bin");
/** Makes the Node that loads it call itself an older one. */
const OLD_NODE = `--import=data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.20.2"}})`;

/** Nor is there another on $PATH. */
const NO_NODE = { PATH: "/nothing" };

/** A bundle begins with a comment that names its content: see scripts/bundle-command.ts. */
const ID = "0123456789abcdef";

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "cairn-launcher-"));
  cpSync(BIN, join(checkout, "bin"), { recursive: true });
  write("package.json", `{ "type": "module" }`);
});
afterEach(() => rmSync(checkout, { recursive: true }));

describe("bin/checkpoint.js", () => {
  it("runs the command with its arguments and passes its exit status on", () => {
    writeMain(`console.log(process.argv.slice(2).join()); process.exitCode = 6;`);
    expect(launch(["now", "--json"])).toEqual({ status: 6, stdout: "now,--json\n", stderr: "" });
  });

  it("gives the command Node's modules, packages, and files of the library", () => {
    write("node_modules/heavy/package.json", `{ "type": "module", "exports": "./index.js" }`);
    write("node_modules/heavy/index.js", `export const heavy = "heavy";`);
    write("dist/library.js", `export const library = "library";`);
    writeMain(
      `console.log(require("node:path").basename(__dirname), require("heavy").heavy, require("../dist/library.js").library);`,
    );
    expect(launch([])).toEqual({ status: 0, stdout: "cli heavy library\n", stderr: "" });
  });

  it.each(["main", "main-debug", "hand-over"])("runs %s, which holds nothing but ASCII", (name) => {
    // It is read as Latin-1: anything else would be other characters, in a regular expression for example.
    const bytes = readFileSync(join(import.meta.dirname, `../dist/cli/${name}.cjs`));
    expect(bytes.filter((byte) => byte > 127).length).toBe(0);
  });

  it("hands an event over with few of Node's modules: crypto and zlib take longer to load than all the rest", () => {
    const text = readFileSync(join(import.meta.dirname, "../dist/cli/hand-over.cjs"), "utf8");
    const loaded = new Set([...text.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name as string));
    expect([...loaded].toSorted()).toEqual(["node:fs", "node:net", "node:path"]);
  });

  it("runs the bundle that has names when errors are looked for", () => {
    writeMain(`console.log("fast")`);
    writeBundle("main-debug", `exports.main = async () => console.log("with names");`);
    expect(launch([], { env: { CHECKPOINT_DEBUG: "1" } }).stdout).toBe("with names\n");
    expect(launch([], { env: { CHECKPOINT_DEBUG: "" } }).stdout).toBe("fast\n");
  });

  it("says how to build a checkout that is not built", () => {
    const stderr = "error: The command is not built yet: run npm run build in the checkout.\n";
    expect(launch([])).toEqual({ status: 8, stdout: "", stderr });
  });

  it("shows an error of the bundle as it is", () => {
    writeMain(`require("./gone.js");`);
    expect(launch([])).toMatchObject({ status: 1, stderr: expect.stringContaining("gone.js") });
  });

  it("says which Node it needs when an older one runs it", () => {
    writeMain(`console.log("must not run");`);
    const { status, stdout, stderr } = launch([], { nodeOptions: [OLD_NODE], env: NO_NODE });
    expect({ status, stdout }).toEqual({ status: 8, stdout: "" });
    expect(stderr).toMatch(
      /^error: checkpoint needs Node 24\.15 or newer \(or 22\.22\.3 and later 22\.x\); this is v.*\n$/,
    );
  });

  it("never stops an agent whose hook cannot run", () => {
    expect(launch(["hook"], { nodeOptions: [OLD_NODE], env: NO_NODE })).toMatchObject({
      status: 0,
      stdout: "",
      stderr: expect.stringContaining("checkpoint needs Node 24.15"),
    });
  });

  it("hides that Node 22 calls its SQLite experimental, and no other warning", () => {
    writeMain(
      `process.emitWarning("SQLite is an experimental feature", "ExperimentalWarning"); process.emitWarning("other");`,
    );
    const node22 = OLD_NODE.replace("20.20.2", "22.22.3");
    const { stderr } = launch([], { nodeOptions: [node22] });
    expect(stderr).toContain("other");
    expect(stderr).not.toContain("SQLite");
  });

  it("runs again with the Node of its checkout when an older one runs it", () => {
    installPinnedNode();
    writeMain(`console.log(process.argv.slice(2).join()); process.exitCode = 3;`);
    expect(launch(["a", "b"], { nodeOptions: [OLD_NODE] })).toEqual({
      status: 3,
      stdout: "a,b\n",
      stderr: "",
    });
  });

  it.skipIf(process.platform === "win32")(
    "looks for another Node once, even if that is too old as well",
    () => {
      // It ends by itself after a few starts, or this test would fill the machine with processes if it failed.
      write(
        "node_modules/node/bin/node",
        `#!/bin/sh\necho >> starts; [ "$(wc -l < starts)" -gt 3 ] && exit 9\nexec '${process.execPath}' '${OLD_NODE}' "$@"\n`,
      );
      chmodSync(join(checkout, "node_modules/node/bin/node"), 0o755);
      expect(launch([], { nodeOptions: [OLD_NODE] })).toMatchObject({
        status: 8,
        stderr: expect.stringContaining("checkpoint needs Node 24.15"),
      });
      expect(readFileSync(join(checkout, "starts"), "utf8")).toBe("\n");
    },
  );

  it.skipIf(process.platform === "win32")("passes signals on, and ends as the command ended", async () => {
    installPinnedNode();
    writeMain(
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

describe("a hook", () => {
  it("runs the command with the event that no server took", () => {
    writeMain(`console.log("saved", event);`);
    write("dist/cli/hand-over.cjs", `exports.handOver = async () => "the event";`);
    expect(launch(["hook"]).stdout).toBe("saved the event\n");
  });

  it("does not even read the command when a server took the event", () => {
    writeMain(`console.log("must not run");`);
    write("dist/cli/hand-over.cjs", `exports.handOver = async () => process.exit(0);`);
    expect(launch(["hook"])).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});

describe("compiled code", () => {
  const folder = () => join(checkout, "cache/cairn/code");
  const run = (word = "now") => launch([word], { env: { XDG_CACHE_HOME: join(checkout, "cache") } });
  const kept = () => readdirSync(folder()).map((name) => join(folder(), name));

  it("is kept for the user alone, learns from a few runs, and is then left as it is", () => {
    writeMain(`console.log("ran")`);
    const runs = Array.from({ length: 7 }, () => {
      expect(run()).toEqual({ status: 0, stdout: "ran\n", stderr: "" });
      expect(kept()).toHaveLength(1);
      return readFileSync(kept()[0]!).at(-1);
    });
    expect(runs).toEqual([1, 2, 3, 4, 5, 5, 5]);
    const others = process.platform === "win32" ? 0 : statSync(folder()).mode & 0o077;
    expect(others).toBe(0);
  });

  it("is kept for each command by itself, and for all other words together", () => {
    writeMain(`console.log("ran")`);
    for (const word of ["now", "list", "../list", "--version"]) run(word);
    const names = readdirSync(folder()).map((name) => name.split("-", 1)[0]);
    expect(new Set(names)).toEqual(new Set(["list", "now", "other"]));
  });

  it("is not kept after a run that failed", () => {
    writeMain(`process.exit(1)`);
    run();
    expect(existsSync(folder())).toBe(false);
  });

  it("is never taken for that of another text, even of the same length", () => {
    writeMain(`console.log("one")`);
    run();
    writeMain(`console.log("two")`, "fedcba9876543210");
    expect(run().stdout).toBe("two\n");
  });

  it("is replaced when it is damaged", () => {
    writeMain(`console.log("ran")`);
    run();
    for (const damage of [Buffer.alloc(0), Buffer.alloc(1), Buffer.alloc(5000, 7)]) {
      writeFileSync(kept()[0]!, damage);
      expect(run()).toEqual({ status: 0, stdout: "ran\n", stderr: "" });
      expect(readFileSync(kept()[0]!)).not.toEqual(damage);
    }
  });

  it("is replaced when a part of it is damaged: V8 would crash", () => {
    writeMain(`console.log("ran")`);
    run();
    const whole = readFileSync(kept()[0]!);
    const step = Math.ceil(whole.length / 8);
    for (let start = 0; start < whole.length; start += step) {
      const damaged = Buffer.from(whole).fill(0xff, start, Math.min(start + step, whole.length));
      writeFileSync(kept()[0]!, damaged);
      expect(run()).toEqual({ status: 0, stdout: "ran\n", stderr: "" });
      expect(readFileSync(kept()[0]!)).not.toEqual(damaged);
    }
  });

  it.skipIf(process.platform === "win32")("is not believed in a folder that others can write to", () => {
    writeMain(`console.log("ran")`);
    run();
    const before = readFileSync(kept()[0]!);
    chmodSync(folder(), 0o777);
    expect(run().stdout).toBe("ran\n");
    expect(readFileSync(kept()[0]!)).toEqual(before);
  });

  it("is not kept beside whatever the command works on", () => {
    writeMain(`console.log("ran")`);
    expect(launch(["now"], { env: { XDG_CACHE_HOME: "cache", HOME: "" } }).stdout).toBe("ran\n");
    expect(existsSync(join(checkout, "cache"))).toBe(false);
  });

  it("is not missed where nothing can be kept", () => {
    writeMain(`console.log("ran")`);
    write("cache/cairn", "a file where the folder would be");
    expect(run()).toEqual({ status: 0, stdout: "ran\n", stderr: "" });
  });

  it("is forgotten a month after it was made", () => {
    writeMain(`console.log("ran")`);
    write("cache/cairn/code/old-version", "");
    chmodSync(folder(), 0o700);
    const longAgo = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
    utimesSync(join(folder(), "old-version"), longAgo, longAgo);
    run();
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

/** A command that does this: `event` is what it is called with. */
function writeMain(body: string, id = ID): void {
  writeBundle("main", `exports.main = async (event) => {${body}};`, id);
}

function writeBundle(name: string, body: string, id = ID): void {
  write(
    `dist/cli/${name}.cjs`,
    `/*${id}*/(function (exports, require, module, __filename, __dirname) {${body}})`,
  );
}

function write(name: string, text: string): void {
  mkdirSync(join(checkout, name, ".."), { recursive: true });
  writeFileSync(join(checkout, name), text);
}
