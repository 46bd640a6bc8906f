// Runs a script of this repository with the pinned Node: node scripts/run.js <script> [arguments]
//
// Installs what is missing first. Plain JavaScript for Node 18 and later, because on a fresh clone the
// pinned Node is not here yet. It is spawned by its path: the shell that runs us may have found another one.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const pinnedNode = join(root, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
const stamp = join(root, "node_modules/.cairn-installed");

if (!isInstalled()) install();
exitLike(spawnSync(pinnedNode, process.argv.slice(2), { cwd: root, stdio: "inherit" }));

function isInstalled() {
  return existsSync(pinnedNode) && existsSync(stamp) && readFileSync(stamp, "utf8") === lockfileHash();
}

function install() {
  console.error(
    "cairn: installing the development tools, Node among them (npm install, about half a minute) …",
  );
  // --include=dev, because NODE_ENV=production would leave the tools out. Only errors are shown: the
  // warnings say that the Node at hand is too old, which is what this install is about to change.
  const installed = npm(["install", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]);
  if (installed.status !== 0) {
    console.error("cairn: npm install failed; its messages are above.");
    exitLike(installed);
  }
  writeFileSync(stamp, lockfileHash());
}

function npm(args) {
  const { npm_execpath: path = "", npm_node_execpath: node = process.execPath } = process.env;
  const options = { cwd: root, stdio: "inherit" };
  // npm tells the scripts that it runs where it is; without a shell this works on Windows too.
  if (basename(path) === "npm-cli.js") return spawnSync(node, [path, ...args], options);
  return spawnSync(`npm ${args.join(" ")}`, { ...options, shell: true });
}

function lockfileHash() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

function exitLike({ status, signal, error }) {
  if (error) console.error(`cairn: ${error.message}`);
  if (signal) process.kill(process.pid, signal);
  process.exit(status ?? 1);
}
