// npm run test:peers: the adapters against the real packages that they are for. These are large, and one is not open
// source, so they are no development dependencies: this installs them into a temporary folder, and nowhere else.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, isStale } from "./build.ts";
import { step, toolPath } from "./steps.ts";

const PACKAGES = [
  "@anthropic-ai/claude-agent-sdk@0.3.325",
  "@openai/agents-core@0.20.0",
  "@modelcontextprotocol/client@2",
  "zod@4",
];
const INSTALL =
  "npm install --ignore-scripts --omit=optional --legacy-peer-deps --no-audit --no-fund --loglevel=error";

if (isStale()) await step("build (tsc, esbuild)", build);
const folder = mkdtempSync(join(tmpdir(), "cairn-peers-"));
try {
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "peers", private: true, type: "module" }),
  );
  await step("install the peers (npm)", async () => {
    const { status, stderr } = spawnSync(`${INSTALL} ${PACKAGES.join(" ")}`, {
      cwd: folder,
      shell: true,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`npm could not install ${PACKAGES.join(", ")}:\n${stderr}`);
  });
  const args = [toolPath("vitest"), "run", "tests/adapters/real-peers.test.ts"];
  const env = { ...process.env, CAIRN_TEST_PEERS: folder };
  process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
