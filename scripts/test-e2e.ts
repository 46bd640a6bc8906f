// npm run test:e2e: sessions with the real Codex CLI (Apache-2.0) against a scripted model on loopback. The client is large,
// so it is no development dependency: this installs it into a cache folder, and nowhere else.
// Where it cannot be had the tests are skipped, loudly; with CAIRN_E2E_REQUIRED=1 that is a failure.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, isStale } from "./build.ts";
import { step, toolPath } from "./steps.ts";

const CLIENT = "@openai/codex@0.166.0";
const FOLDER = resolve("node_modules/.cache/cairn-e2e", CLIENT.replace(/^.*@/, "codex-"));
const INSTALL =
  "npm install --no-save --ignore-scripts --include=optional --no-audit --no-fund --loglevel=error";

if (isStale()) step("build (tsc, esbuild)", build);
const program = findProgram() ?? install();
if (typeof program === "string") {
  const args = [toolPath("vitest"), "run", "tests/e2e", ...process.argv.slice(2)];
  const env = { ...process.env, CAIRN_TEST_CODEX: program };
  process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1;
} else {
  console.error(`\n!!! SKIPPED: the end-to-end tests did not run. ${program.reason}\n`);
  process.exitCode = process.env["CAIRN_E2E_REQUIRED"] ? 1 : 0;
}

/** The program itself, not the script that starts it: what is killed must be the client. */
function findProgram(): string | undefined {
  const [found] = globSync("node_modules/@openai/codex-*/vendor/*/bin/codex{,.exe}", { cwd: FOLDER });
  const path = found && join(FOLDER, found);
  return path !== undefined && spawnSync(path, ["--version"]).status === 0 ? path : undefined;
}

function install(): string | { reason: string } {
  console.log(`Installing ${CLIENT} into ${FOLDER} (about 400 MB, once) …`);
  mkdirSync(FOLDER, { recursive: true });
  const manifest = join(FOLDER, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, JSON.stringify({ name: "e2e", private: true }));
  const { status, stderr } = spawnSync(`${INSTALL} ${CLIENT}`, {
    cwd: FOLDER,
    shell: true,
    encoding: "utf8",
  });
  if (status !== 0) return { reason: `npm could not install ${CLIENT}:\n${stderr}` };
  return findProgram() ?? { reason: `${CLIENT} has no program for this machine, or it does not start.` };
}
