#!/usr/bin/env node
// Starts the command on a Node that it can run on. Hooks call this many times a minute, so the good path loads
// nothing but one file; and even a Node from years ago must be able to parse this one.

/** One run does not use everything, so a few more add what they compiled. */
const RUNS_TO_LEARN = 5;

if (!isSupported(process.versions.node)) void rerunWithPinnedNode();
else {
  if (process.versions.node.startsWith("22.")) hideSqliteWarning();
  start(process.argv[2]);
}

/** The rule of `engines` in package.json: ^22.22.3 || >=24.15 */
function isSupported(version) {
  const [major, minor, patch] = version.split(".").map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 3);
  return major > 24 || (major === 24 && minor >= 15);
}

/** Node 22 says at every start that its SQLite is experimental. The versions that we accept are tested with it. */
function hideSqliteWarning() {
  const emit = process.emitWarning;
  process.emitWarning = (warning, ...more) => {
    if (!String(warning).startsWith("SQLite is an experimental")) emit.call(process, warning, ...more);
  };
}

/** A command that is started often has a file of its own. */
function start(word) {
  const fs = process.getBuiltinModule("node:fs");
  // What is looked for by its traces needs the names of functions, which the quick files do not have.
  const isQuick = /^[a-z]+$/.test(word) && !process.env.CHECKPOINT_DEBUG;
  const run = () => (isQuick && runFile(fs, word)) || runAnything();
  // A server that runs may take the event; if none does, it is saved here.
  if (word === "hook" && isQuick && runFile(fs, "hand-over", run)) return;
  const isFirst = word === "now" && fs.existsSync(".git") && runFile(fs, "start-git");
  // Git is started as soon as this turn ends, and needs no more of us while the rest is read.
  if (isFirst) void Promise.resolve().then(run);
  else run();
}

/**
 * Runs a file, and keeps what V8 compiled while it ran, which is most of what starting takes. Node's own cache keeps
 * only what is compiled before anything runs. False when there is no such file.
 */
function runFile(fs, name, goOn) {
  const vm = process.getBuiltinModule("node:vm");
  const file = `${import.meta.dirname}/../dist/cli/quick/${name}.js`;
  let source;
  try {
    source = fs.readFileSync(file, "latin1");
  } catch {
    return false;
  }
  const kept = keptCode(fs, name, source);
  const script = new vm.Script(source, { filename: file, cachedData: kept.code });
  if (kept.file && (kept.runs < RUNS_TO_LEARN || script.cachedDataRejected)) {
    process.once("exit", (status) => status === 0 && keepCode(fs, kept, script.createCachedData()));
  }
  script.runInThisContext()(builtin, load, goOn);
  return true;
}

/** A module of Node's, loaded when it is used first: most are not needed every time. */
function builtin(name) {
  let module;
  return new Proxy({}, { get: (_, key) => (module = module || process.getBuiltinModule(name))[key] });
}

/** What a file asks for by `import()`: it has none of its own. */
function load(path) {
  if (path.startsWith("node:")) return Promise.resolve(process.getBuiltinModule(path));
  return import(path.startsWith(".") ? `../dist/cli/quick/${path}` : path);
}

/** Code that was kept, if it was compiled from this source by this Node: the file, its code, and how many runs made it. */
function keptCode(fs, name, source) {
  const folder = cacheFolder("code");
  if (folder === undefined || process.env.NODE_DISABLE_COMPILE_CACHE) return {};
  // A source begins with a string that names its content.
  const id = source.slice(1, 17);
  const file = `${folder}/${name}-${id}-${process.version}-${process.arch}`;
  try {
    // V8 believes what it is given, so nobody else may have put it there.
    const { uid, mode } = fs.lstatSync(folder);
    if (process.geteuid && (uid !== process.geteuid() || mode & 0o022)) return {};
    const bytes = fs.readFileSync(file);
    return { file, folder, code: bytes.subarray(0, -1), runs: bytes.at(-1) };
  } catch {
    return { file, folder, runs: 0 };
  }
}

/** Written whole and durably before it gets its name. When that cannot be, the next start is slow again, and no more. */
function keepCode(fs, { file, folder, runs }, code) {
  const unfinished = `${file}.${process.pid}`;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(unfinished, Buffer.concat([code, Buffer.of(runs + 1)]), {
      mode: 0o600,
      flag: "wx",
      flush: true,
    });
    fs.renameSync(unfinished, file);
    if (runs === 0) removeOld(fs, folder);
  } catch {
    removeIfThere(fs, unfinished);
  }
}

function removeIfThere(fs, file) {
  try {
    fs.unlinkSync(file);
  } catch {
    // Another process was quicker, or there is nothing to remove.
  }
}

/** Code of versions that are gone. Whoever still needs some of it makes it again. */
function removeOld(fs, folder) {
  const monthAgo = Date.now() - 30 * 24 * 60 * 60 * 1000;
  for (const name of fs.readdirSync(folder)) {
    const file = `${folder}/${name}`;
    if (fs.statSync(file).mtimeMs < monthAgo) removeIfThere(fs, file);
  }
}

function runAnything() {
  const folder = cacheFolder("compile-cache");
  if (folder) process.getBuiltinModule("node:module").enableCompileCache(folder);
  import("../dist/cli/main.js").catch(explain);
}

/** A folder in the user's own cache folder: one in the temporary folder could be planted by others. */
function cacheFolder(name) {
  const { env, platform } = process;
  const home = env.HOME;
  let folder = env.XDG_CACHE_HOME || (home && `${home}/.cache`);
  if (platform === "darwin") folder = home && `${home}/Library/Caches`;
  if (platform === "win32") folder = env.LOCALAPPDATA;
  // A relative folder would put the cache wherever the command happens to run.
  return folder && /^([/\\]|[A-Za-z]:)/.test(folder) ? `${folder}/cairn/${name}` : undefined;
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

/** Exit status 8: something that has to be installed is missing. A hook says so too, but never stops its agent. */
function fail(message) {
  console.error(`error: ${message}`);
  process.exitCode = process.argv[2] === "hook" ? 0 : 8;
}
