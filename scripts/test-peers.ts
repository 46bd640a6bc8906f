// npm run test:peers: the adapters against the real packages that they are for, in folders of their own. Arguments choose:
// npm run test:peers -- langgraph
import { spawnSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { findPostgres, startServer } from "../tests/postgres/support/server.ts";
import { build, isStale } from "./build.ts";
import {
  AGENT_SDKS,
  AI_SDK,
  installedPeers,
  installProduct,
  LANGGRAPH,
  MASTRA,
  type Peers,
} from "./peers.ts";
import { step, toolPath } from "./steps.ts";

/** What is published must fit LangGraph's own types: what it is built with are written down in types/langgraph.d.ts. */
const TYPES = `
import type { BaseCheckpointSaver, SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { CairnSaver } from "cairn-checkpoint/langgraph";
import type { SaverUnderTest } from "cairn-checkpoint/testing";
declare const serde: SerializerProtocol;
export const saver: BaseCheckpointSaver = new CairnSaver({ serde });
export const tested: SaverUnderTest = saver;
// @ts-expect-error: a check that accepts anything would say nothing.
export const wrong: BaseCheckpointSaver = { put: 1 };
`;
const MASTRA_TYPES = `
import { WorkflowsStorage } from "@mastra/core/storage";
import { CairnWorkflows } from "cairn-checkpoint/mastra";
declare const cairn: ConstructorParameters<typeof CairnWorkflows>[0];
export const workflows: WorkflowsStorage = new CairnWorkflows(cairn);
// @ts-expect-error: a check that accepts anything would say nothing.
export const wrong: WorkflowsStorage = { init: 1 };
`;
const COMPILE =
  "--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target es2024 --types node";

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
  mastra: async () => {
    const folder = await install(MASTRA);
    installProduct(folder);
    cpSync("tests/mastra", join(folder, "tests"), { recursive: true });
    const wrong = compile(MASTRA_TYPES, folder);
    return wrong === 0 ? run(["--test", "tests/*.test.mjs"], {}, folder) : wrong;
  },
  langgraph: async () => {
    const folder = await install(LANGGRAPH);
    installProduct(folder);
    const tests = join(folder, "tests");
    rmSync(tests, { recursive: true, force: true });
    cpSync("tests/langgraph", tests, { recursive: true });
    cpSync("examples/langgraph/graph.mjs", join(tests, "support/graph.mjs"));
    const wrong = compile(TYPES, folder);
    if (wrong !== 0) return wrong;
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

/** Holds what is published to the types of the real package. */
function compile(program: string, folder: string): number {
  writeFileSync(join(folder, "types.ts"), program);
  const types = ["--typeRoots", resolve("node_modules/@types")];
  return run([resolve(toolPath("typescript")), ...COMPILE.split(" "), ...types, "types.ts"], {}, folder);
}

function run(args: readonly string[], settings: Record<string, string>, cwd?: string): number {
  const env = { ...process.env, ...settings };
  return spawnSync(process.execPath, args, { stdio: "inherit", env, cwd }).status ?? 1;
}
