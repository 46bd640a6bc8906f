import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Packages that our adapters are for, pinned. */
export interface Peers {
  readonly name: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Where a registry lacks a newer version, or two packages want different ones. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Without optional packages: programs of hundreds of megabytes that no test starts. */
  readonly isSmall?: boolean;
}

export const AGENT_SDKS: Peers = {
  name: "agent-sdks",
  isSmall: true,
  packages: {
    "@anthropic-ai/claude-agent-sdk": "0.3.325",
    "@openai/agents-core": "0.20.0",
    "@modelcontextprotocol/client": "2.4.0",
    zod: "4.6.7",
  },
};

/** The newest LangGraph asks for a core that is not published yet. */
export const LANGGRAPH: Peers = {
  name: "langgraph",
  packages: {
    "@langchain/core": "1.2.13",
    "@langchain/langgraph": "1.4.18",
    "@langchain/langgraph-checkpoint": "1.1.5",
    "@langchain/langgraph-checkpoint-postgres": "1.0.5",
    "@langchain/langgraph-checkpoint-sqlite": "1.0.4",
    "@langchain/langgraph-checkpoint-validation": "1.1.1",
    "better-sqlite3": "13.1.1",
    vitest: "4.1.12",
    zod: "4.6.7",
  },
  overrides: { "@langchain/langgraph-sdk": "1.12.0", "better-sqlite3": "13.1.1" },
};

export const MASTRA: Peers = {
  name: "mastra",
  isSmall: true,
  packages: { "@mastra/core": "1.71.0", zod: "4.6.7" },
};

export const AI_SDK: Peers = { name: "ai-sdk", packages: { ai: "7.0.173", zod: "4.6.7" } };

const INSTALL = "npm install --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error";

/**
 * The folder in which packages are installed: they are large, and not all are open source, so they are no development
 * dependencies. It stays for the next time.
 */
export function installedPeers({ name, packages, overrides = {}, isSmall = false }: Peers): string {
  const manifest = JSON.stringify({ name, private: true, type: "module", dependencies: packages, overrides });
  const version = createHash("sha256").update(manifest).digest("hex").slice(0, 12);
  const folder = resolve(`node_modules/.cache/cairn-peers/${name}-${version}`);
  if (existsSync(folder)) return folder;
  const making = `${folder}-${process.pid}`;
  mkdirSync(making, { recursive: true });
  writeFileSync(join(making, "package.json"), manifest);
  const { status, stderr } = spawnSync(isSmall ? `${INSTALL} --omit=optional` : INSTALL, {
    cwd: making,
    shell: true,
    encoding: "utf8",
  });
  if (status !== 0) {
    rmSync(making, { recursive: true, force: true });
    throw new Error(`npm could not install ${Object.keys(packages).join(", ")}:\n${stderr}`);
  }
  renameSync(making, folder);
  return folder;
}

/** Puts what was built beside the packages, as an installation would: a link would look for them in this checkout. */
export function installProduct(folder: string): void {
  const own = join(folder, "node_modules/cairn-checkpoint");
  const [making, old] = [`${own}-${process.pid}`, `${own}-${process.pid}-old`];
  for (const part of ["package.json", "dist"]) cpSync(part, join(making, part), { recursive: true });
  // In one step, because another run may be loading it.
  if (existsSync(own)) renameSync(own, old);
  renameSync(making, own);
  rmSync(old, { recursive: true, force: true });
}
