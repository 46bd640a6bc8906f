// npm run test:e2e: sessions with the real Codex CLI, Gemini CLI (Apache-2.0), OpenCode (MIT) and Copilot CLI (its licence lets
// anybody install and run it) against a scripted model on loopback. The clients are large, so they are no development dependencies: this installs them into a cache folder, and nowhere
// else. Where one cannot be had its tests are skipped, loudly; with CAIRN_E2E_REQUIRED=1 that is a failure.
// npm run test:claude: the same with the person's own Claude Code, whose licence keeps it out of any install of ours.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { build, isStale } from "./build.ts";
import { step, toolPath } from "./steps.ts";

interface E2eClient {
  readonly variable: string;
  readonly package: string;
  /** The program itself, not the script that starts it: what is killed must be the client. */
  readonly programs: string;
}

const CLIENTS: readonly E2eClient[] = [
  {
    variable: "CAIRN_TEST_CODEX",
    package: "@openai/codex@0.166.0",
    programs: "@openai/codex-*/vendor/*/bin/codex{,.exe}",
  },
  {
    variable: "CAIRN_TEST_GEMINI",
    package: "@google/gemini-cli@0.61.0",
    programs: "@google/gemini-cli/bundle/gemini.js",
  },
  {
    variable: "CAIRN_TEST_OPENCODE",
    package: "opencode-ai@1.18.33",
    programs: "opencode-*/bin/opencode{,.exe}",
  },
  {
    variable: "CAIRN_TEST_COPILOT",
    package: "@github/copilot@1.0.102",
    programs: "@github/copilot-*/copilot{,.exe}",
  },
];
const INSTALL =
  "npm install --no-save --ignore-scripts --include=optional --no-audit --no-fund --loglevel=error";

const [mode, ...more] = process.argv.slice(2);
const isClaude = mode === "claude";
if (isStale()) await step("build (tsc, esbuild)", build);
const programs = isClaude ? { CAIRN_TEST_CLAUDE: onPath("claude") } : installed();
const found = Object.entries(programs).filter((entry): entry is [string, string] => entry[1] !== undefined);
const missing = Object.keys(programs).length - found.length;
if (missing > 0) console.error(`\n!!! SKIPPED: the tests with ${missing} of the clients did not run.\n`);
if (found.length > 0) {
  const tests = isClaude ? ["tests/e2e/claude.test.ts", "tests/e2e/every-client.test.ts"] : ["tests/e2e"];
  const args = [
    toolPath("vitest"),
    "run",
    ...tests,
    ...(isClaude || mode === undefined ? more : [mode, ...more]),
  ];
  const env = { ...process.env, ...Object.fromEntries(found) };
  process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1;
}
if (missing > 0 && (isClaude || process.env["CAIRN_E2E_REQUIRED"])) process.exitCode = 1;

function onPath(program: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

function installed(): Record<string, string | undefined> {
  return Object.fromEntries(
    CLIENTS.map((client) => [client.variable, findProgram(client) ?? install(client)]),
  );
}

function folderOf({ package: name }: E2eClient): string {
  return resolve("node_modules/.cache/cairn-e2e", name.replace(/^@[^/]*\//, "").replaceAll("@", "-"));
}

function findProgram(client: E2eClient): string | undefined {
  const folder = folderOf(client);
  const paths = globSync(client.programs, { cwd: join(folder, "node_modules") });
  return paths
    .map((path) => runnable(folder, join(folder, "node_modules", path)))
    .find((path) => spawnSync(path, ["--version"]).status === 0);
}

/** A script gets a starter that runs it with this Node, in the same process. */
function runnable(folder: string, path: string): string {
  if (!path.endsWith(".js")) return path;
  const starter = join(folder, "start");
  writeFileSync(starter, `#!/bin/sh\nexec "${process.execPath}" "${path}" "$@"\n`);
  chmodSync(starter, 0o755);
  return starter;
}

function install(client: E2eClient): string | undefined {
  const folder = folderOf(client);
  console.log(`Installing ${client.package} into ${folder} (some 100 MB, once) …`);
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, JSON.stringify({ name: "e2e", private: true }));
  const { status, stderr } = spawnSync(`${INSTALL} ${client.package}`, {
    cwd: folder,
    shell: true,
    encoding: "utf8",
  });
  if (status !== 0) console.error(`npm could not install ${client.package}:\n${stderr}`);
  return findProgram(client);
}
