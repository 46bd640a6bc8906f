// npm run test:peers: the adapters against the real packages that they are for, in folders of their own. Arguments choose:
// npm run test:peers -- langgraph
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findPostgres, startServer } from "../tests/postgres/support/server.ts";
import { build, isStale } from "./build.ts";
import { AGENT_SDKS, AI_SDK, installedPeers, installProduct, LANGGRAPH, type Peers } from "./peers.ts";
import { step, toolPath } from "./steps.ts";

const TESTS: Readonly<Record<string, () => Promise<number>>> = {
  "agent-sdks": async () => {
    const folder = await install(AGENT_SDKS);
    return run([toolPath("vitest"), "run", "tests/adapters/real-peers.test.ts"], {
      CAIRN_TEST_PEERS: folder,
    });
  },
  "ai-sdk": async () => {
    const folder = await install(AI_SDK);
    installProduct(folder);
    cpSync("tests/ai-sdk", join(folder, "tests"), { recursive: true });
    return run(["--test", "tests/*.test.mjs"], {}, folder);
  },
  langgraph: async () => {
    const folder = await install(LANGGRAPH);
    installProduct(folder);
    const tests = join(folder, "tests");
    rmSync(tests, { recursive: true, force: true });
    cpSync("tests/langgraph", tests, { recursive: true });
    cpSync("examples/langgraph/graph.mjs", join(tests, "support/graph.mjs"));
    const programs = findPostgres();
    const server = programs === undefined ? undefined : await startServer(programs);
    try {
      // The official suite is made of tests of the vitest that it brings along.
      const args = [
        join(folder, "node_modules/vitest/vitest.mjs"),
        "run",
        "--config",
        "tests/vitest.config.mjs",
      ];
      return run(args, { CAIRN_TEST_PG_URL: server?.url ?? "", NODE_ENV: "test" }, folder);
    } finally {
      await server?.stop();
    }
  },
};

if (isStale()) await step("build (tsc, esbuild)", build);
const chosen = process.argv.slice(2);
for (const [name, test] of Object.entries(TESTS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const status = await test();
  if (status !== 0) process.exitCode = status;
}

async function install(peers: Peers): Promise<string> {
  let folder = "";
  await step(`install: ${peers.name} (npm)`, async () => {
    folder = installedPeers(peers);
  });
  return folder;
}

function run(args: readonly string[], settings: Record<string, string>, cwd?: string): number {
  const env = { ...process.env, ...settings };
  return spawnSync(process.execPath, args, { stdio: "inherit", env, cwd }).status ?? 1;
}
