import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";

import { runCommand } from "../../cli/support/sandbox.ts";
import { until } from "../../cli/support/until.ts";
import { startPgbouncer } from "./pgbouncer.ts";
import { startServer } from "./server.ts";

const COMMAND = resolve("bin/checkpoint.js");

/** Several clones of a project on this machine that share a server, where one role owns the stores and another works in them. */
export type Machines = Awaited<ReturnType<typeof openMachines>>;

const OWNER = "canary:c4n4ry-pw";
const WORKER = "hand:h4nd-pw";
export const TOKEN = "t0k3n-of-the-worker";

export async function openMachines(programs: string) {
  const direct = await startServer(programs, { fsync: true });
  const isPooled = process.env["CAIRN_TEST_PGBOUNCER"] !== undefined;
  const server = isPooled ? await startPgbouncer(direct, ["postgres", "canary", "hand"]) : direct;
  const home = mkdtempSync(join(tmpdir(), "cairn-home-"));
  const folders = [home];
  const children: ChildProcess[] = [];
  const logs: string[] = [];
  const query = async <Row extends pg.QueryResultRow>(sql: string, role = "postgres"): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: server.url.replace("postgres@", `${role}@`) });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  await query(
    `CREATE ROLE canary LOGIN PASSWORD 'c4n4ry-pw'; CREATE ROLE hand LOGIN PASSWORD 'h4nd-pw';
     GRANT CREATE ON DATABASE postgres TO canary`,
  );
  const envOf = (schema: string, role: string) => ({
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    CHECKPOINT_STORE: `${server.url.replace("postgres@", `${role}@`)}?schema=${schema}`,
    INPUT_TOKEN: TOKEN,
    OUT: home,
  });
  const call = (schema: string, root: string, args: readonly string[], role = WORKER) => {
    const { INPUT_TOKEN: _, ...env } = envOf(schema, role);
    const ran = runCommand(["-C", root, ...args], { cwd: root, env });
    logs.push(ran.stdout, ran.stderr);
    return ran;
  };
  const run = (schema: string, root: string, ...args: string[]) => call(schema, root, args);
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  /** A command that goes on beside the test. */
  const start = (schema: string, root: string, ...args: string[]) => {
    const child = spawn(process.execPath, [COMMAND, "-C", root, ...args], { env: envOf(schema, WORKER) });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => logs.push(String(data)));
    children.push(child);
    return child;
  };
  const endAll = async (signal: NodeJS.Signals = "SIGKILL") => {
    for (const child of children.splice(0)) await end(child, signal);
  };
  return {
    server,
    home,
    logs,
    query,
    run,
    end,
    /** As the owner: makes the store, and lets the role of workers use it. */
    migrate: (schema: string, root: string) =>
      call(schema, root, ["store", "migrate", "--role", "hand"], OWNER),
    start,
    work: (schema: string, root: string, ...args: string[]) =>
      start(schema, root, "worker", "--lease", "2s", ...args),
    /** A machine: a clone of the project. */
    machine: (from?: string, files: Record<string, string> = {}) => {
      const root = mkdtempSync(join(tmpdir(), "cairn-machine-"));
      folders.push(root);
      const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "pipe" });
      if (from !== undefined) {
        git("clone", "--quiet", from, ".");
        return root;
      }
      for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
      git("init", "--quiet");
      git("add", ".");
      git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "-m", "start");
      return root;
    },
    show: (schema: string, root: string, id: string) =>
      JSON.parse(run(schema, root, "runs", "show", id, "--json").stdout) as {
        run: { status: string };
        steps: { status: string }[];
      },
    until: (hasHappened: () => boolean | Promise<boolean>) =>
      until("as the logs say", hasHappened).catch((error: Error) => {
        throw new Error(`${error.message}\n${logs.slice(-20).join("")}`);
      }),
    endAll,
    close: async () => {
      await endAll();
      await server.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}
