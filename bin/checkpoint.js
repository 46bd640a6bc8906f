#!/usr/bin/env node
// Starts the command on a Node that it can run on. Hooks call this many times a minute, so the good path
// imports nothing but the bundle; and even a Node from years ago must be able to parse this file.

if (isSupported(process.versions.node)) {
  enableCompileCache(process.getBuiltinModule("node:module"));
  import("../dist/cli/main.js").catch(explain);
} else {
  void rerunWithPinnedNode();
}

/** The rule of `engines` in package.json: ^22.22.3 || >=24.15 */
function isSupported(version) {
  const [major, minor, patch] = version.split(".").map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 3);
  return major > 24 || (major === 24 && minor >= 15);
}

/** Keeps compiled code in the user's own cache folder: one in the temporary folder could be planted by others. */
function enableCompileCache(module) {
  const { env, platform } = process;
  const home = env.HOME;
  let folder = env.XDG_CACHE_HOME || (home && `${home}/.cache`);
  if (platform === "darwin") folder = home && `${home}/Library/Caches`;
  if (platform === "win32") folder = env.LOCALAPPDATA;
  // A relative folder would put the cache wherever the command happens to run.
  if (folder && /^([/\\]|[A-Za-z]:)/.test(folder)) module.enableCompileCache(`${folder}/cairn/compile-cache`);
}

async function explain(error) {
  const { existsSync } = await import("node:fs");
  if (existsSync(new URL("../dist/cli/main.js", import.meta.url))) throw error;
  fail("The command is not built yet: run npm run build in the checkout.");
}

/** In a checkout the right Node is installed next to us; elsewhere only the user can help. */
async function rerunWithPinnedNode() {
  const { existsSync } = await import("node:fs");
  const { fileURLToPath } = await import("node:url");
  const executable = process.platform === "win32" ? "node.exe" : "node";
  const node = fileURLToPath(new URL(`../node_modules/node/bin/${executable}`, import.meta.url));
  if (!existsSync(node)) {
    return fail(
      `checkpoint needs Node 24.15 or newer (or 22.22.3 and later 22.x); this is ${process.version}.`,
    );
  }
  const { spawn } = await import("node:child_process");
  const self = fileURLToPath(import.meta.url);
  const child = spawn(node, [self, ...process.argv.slice(2)], { stdio: "inherit" });
  // A signal to us is meant for the command; how it ended is how we end. Ctrl-C on a terminal has reached it already.
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) {
    process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY) || child.kill(signal));
  }
  child.on("error", (error) => fail(`The Node of this checkout does not start: ${error.message}`));
  child.on("exit", (status, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = status;
  });
}

/** Exit status 8: something that has to be installed is missing. */
function fail(message) {
  console.error(`error: ${message}`);
  process.exitCode = 8;
}
