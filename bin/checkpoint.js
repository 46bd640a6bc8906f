#!/usr/bin/env node
// Starts the command on a Node that it can run on. Even a Node from years ago must be able to parse this file, and
// hooks start it many times a minute: it is CommonJS because that starts sooner.
const { existsSync } = require("node:fs");
const { delimiter, isAbsolute, join } = require("node:path");

const BUNDLES = join(__dirname, "../dist/cli");

if (!isSupported(process.versions.node)) rerunWithAnotherNode();
else if (!existsSync(join(BUNDLES, "main.cjs")))
  fail("The command is not built yet: run npm run build in the checkout.");
else {
  // Only for this start: what the command itself starts may need another Node again.
  delete process.env.CHECKPOINT_RERUN;
  if (process.versions.node.startsWith("22.")) hideSqliteWarning();
  void start(process.argv[2]);
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

async function start(word) {
  // A running server may take the event of a hook. If none does, it is saved as by every other command.
  const event = word === "hook" ? await require(join(BUNDLES, "hand-over.cjs")).handOver() : undefined;
  const { runCompiled } = require("./run-compiled.js");
  await runCompiled(join(BUNDLES, process.env.CHECKPOINT_DEBUG ? "main-debug.cjs" : "main.cjs"), word).main(
    event,
  );
}

function rerunWithAnotherNode() {
  // Once is enough: a Node that is found too old as well would go on starting others for ever.
  const node = process.env.CHECKPOINT_RERUN === "1" ? undefined : findNode();
  if (!node) {
    return fail(
      `checkpoint needs Node 24.15 or newer (or 22.22.3 and later 22.x); this is ${process.version}.`,
    );
  }
  const env = { ...process.env, CHECKPOINT_RERUN: "1" };
  const child = require("node:child_process").spawn(node, [__filename, ...process.argv.slice(2)], {
    stdio: "inherit",
    env,
  });
  // A signal to us is meant for the command; how it ended is how we end. Ctrl-C on a terminal has reached it already.
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) {
    process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY) || child.kill(signal));
  }
  child.on("error", (error) => fail(`${node} does not start: ${error.message}`));
  child.on("exit", (status, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = status;
  });
}

/**
 * In a checkout the right Node is installed next to us; elsewhere `checkpoint init` has recorded the one that ran it, or
 * one comes later on $PATH.
 */
function findNode() {
  const executable = process.platform === "win32" ? "node.exe" : "node";
  const pinned = join(__dirname, "../node_modules/node/bin", executable);
  if (existsSync(pinned) && pinned !== process.execPath) return pinned;
  const onPath = (process.env.PATH || "").split(delimiter).filter(isAbsolute);
  return [recordedNode(), ...onPath.map((folder) => join(folder, executable))].find(
    (path) => path && path !== process.execPath && existsSync(path) && isSupported(versionOf(path)),
  );
}

/** Asked each time: an upgrade may have put another in its place. */
function versionOf(path) {
  const { spawnSync } = require("node:child_process");
  return String(spawnSync(path, ["--version"], { timeout: 5000 }).stdout).replace(/^v/, "");
}

function recordedNode() {
  const { HOME, USERPROFILE, XDG_STATE_HOME } = process.env;
  const home = [HOME, USERPROFILE].find((path) => path && isAbsolute(path));
  const state =
    XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : home && join(home, ".local/state");
  try {
    const path = require("node:fs").readFileSync(join(state, "cairn/node"), "utf8").trim();
    return isAbsolute(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Exit status 8: something that has to be installed is missing. A hook never stops its agent; the start of a session
 * says it where it is seen, since nobody reads what else a hook prints.
 */
function fail(message) {
  console.error(`error: ${message}`);
  const isHook = process.argv.includes("hook");
  if (isHook && !process.stdin.isTTY) {
    const event = String(require("node:fs").readFileSync(0));
    if (/"hook_event_name"\s*:\s*"[Ss]essionStart"/.test(event)) console.log(notSaving(message, event));
    // Gemini CLI shows whatever is not JSON, and nothing is not.
    else if (clientOf(event) === "gemini") console.log("{}");
  }
  // Where the gate cannot be asked, the call must not happen.
  process.exitCode = isHook && !process.argv.includes("--gate") ? 0 : 8;
}

/**
 * In the form of each client: for the person where it has a place for that, and for the model, which is all that some
 * have; a client that runs in a script may show the person nothing else.
 */
function notSaving(message, event) {
  const remedy =
    "Install a newer Node from nodejs.org; if you have one already, run checkpoint init once with it, and it is found from then on.";
  const systemMessage = `Cairn is not saving this session: ${message} ${remedy}`;
  const context = `${systemMessage} Tell the person so in your first answer.`;
  const client = clientOf(event);
  if (client === "cursor") return JSON.stringify({ additional_context: context });
  if (client === "copilot") return JSON.stringify({ additionalContext: context });
  const hookSpecificOutput = { hookEventName: "SessionStart", additionalContext: context };
  return JSON.stringify({ systemMessage, hookSpecificOutput });
}

/** Named on the command line; Cursor runs the hooks of Claude Code too, and names itself in the event. */
function clientOf(event) {
  const at = process.argv.indexOf("--client");
  return at > 0 ? process.argv[at + 1] : event.includes('"cursor_version"') ? "cursor" : undefined;
}
