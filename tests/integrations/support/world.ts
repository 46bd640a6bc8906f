import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach } from "vitest";
import { openWorld } from "../../../src/capabilities/integrations/open-world.ts";
import { follow } from "../../../src/capabilities/integrations/follow.ts";
import { outletsOf } from "../../../src/capabilities/integrations/run.ts";
import type {
  Integration,
  IntegrationWorld,
  Outlet,
} from "../../../src/capabilities/integrations/integration.ts";
import { openProject } from "../../../src/doors/library/project.ts";
import { acceptIntegrations } from "../../../src/work/project/settings/integrations.ts";
import { readSettings } from "../../../src/work/project/settings/settings.ts";
import type { Environment } from "../../../src/work/machine/environment.ts";
import type { Project } from "../../../src/work/project/project.ts";

/** A request that a fake service got. */
export interface Got {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type Answerer = (got: Got) => Given | Promise<Given>;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A service on loopback, which answers as the test wants and keeps what it got. */
export async function startService(answer: Answerer): Promise<{ url: string; got: Got[] }> {
  const got: Got[] = [];
  const server = createServer((request, response) => void take(request, response));
  // A client must not find a connection closed that it is about to use.
  server.keepAliveTimeout = 600_000;
  async function take(request: IncomingMessage, response: ServerResponse) {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const headers = request.headers as Record<string, string>;
    const isJson = headers["content-type"]?.startsWith("application/json") === true && text !== "";
    const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
    const one = { method: request.method ?? "", path: request.url ?? "", headers, text, json };
    got.push(one);
    const { status = 200, headers: more = {}, body = {} } = await answer(one);
    response.writeHead(status, { "content-type": "application/json", ...more });
    response.end(JSON.stringify(body));
  }
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

/** Configures the project's integrations, as YAML, which is accepted. */
export async function configure(project: Project, yaml: string): Promise<void> {
  writeFileSync(join(project.root, "cairn.yaml"), `integrations:\n${yaml.replaceAll(/^/gm, "  ")}\n`);
  const { integrations } = await readSettings(project, project.root);
  acceptIntegrations(project, project.root, integrations!);
}

export interface Following {
  readonly world: IntegrationWorld;
  readonly all: readonly Integration[];
  readonly outlets: readonly Outlet[];
  readonly told: string[];
  readonly waits: number[];
  /** Tells all outlets what happened up to now, and ends. */
  readonly catchUp: () => Promise<void>;
}

/** The integrations of a project, whose waits take no time: the one between two looks ends it. */
export async function openFollowing(project: Project): Promise<Following> {
  const told: string[] = [];
  const waits: number[] = [];
  let stop = new AbortController();
  const wait = async (ms: number) => {
    if (ms === 300) stop.abort();
    else waits.push(ms);
  };
  const open = () => openWorld(project, { signal: stop.signal, wait, tell: (line) => told.push(line) });
  const { world, all } = await open();
  const outlets = await outletsOf(world, all);
  const catchUp = async () => {
    stop = new AbortController();
    const { world: now, all: each } = await open();
    for (const outlet of await outletsOf(now, each)) {
      stop = new AbortController();
      await follow({ ...now, signal: stop.signal }, outlet);
    }
  };
  await catchUp();
  return { world, all, outlets, told, waits, catchUp };
}

/** The same project with other variables. */
export function withEnv(project: Project, env: Environment): Project {
  mkdirSync(project.root, { recursive: true });
  const opened = openProject({ path: project.root, env: { ...project.env, ...env } });
  closing.push(() => void opened.stores.close());
  return opened;
}
