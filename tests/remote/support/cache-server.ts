import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { freePort } from "../../services/support/free-port.ts";

/** Where the programs may be. $CAIRN_VALKEY_SERVER names one that was only unpacked. */
const PROGRAMS = {
  Redis: ["/usr/bin/redis-server", "/usr/local/bin/redis-server"],
  Valkey: [
    process.env["CAIRN_VALKEY_SERVER"] ?? "",
    "/usr/bin/valkey-server",
    "/usr/local/bin/valkey-server",
  ],
} as const;

export const CACHE_SERVERS = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];

/** Says so where a server is missing: a test that did not run must not look like one that passed. */
export function findCacheServer(name: keyof typeof PROGRAMS): string | undefined {
  const found = PROGRAMS[name].find((path) => path !== "" && existsSync(path));
  if (found === undefined)
    console.warn(`SKIPPED: there is no ${name} here, so the cache was not tried with it.`);
  return found;
}

export interface CacheServer {
  readonly url: string;
  /** For looking at what is there, and changing it. */
  readonly client: Redis;
  stop(): Promise<void>;
}

/** A server in memory, on this machine only. */
export async function startCacheServer(program: string): Promise<CacheServer> {
  const port = await freePort();
  const flags = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn(program, ["--port", String(port), ...flags], { stdio: "ignore" });
  const ended = once(child, "close");
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { retryStrategy: (times) => (times > 200 ? null : 25) });
  client.on("error", () => undefined);
  for (let tries = 0; tries < 200 && client.status !== "ready"; tries++) await wait(25);
  return {
    url,
    client,
    stop: async () => {
      client.disconnect();
      child.kill("SIGKILL");
      await ended;
    },
  };
}
