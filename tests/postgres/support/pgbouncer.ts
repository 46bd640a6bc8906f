import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "../../services/support/free-port.ts";
import { untilReady, USER, type TestServer } from "./server.ts";

/** A pooler in transaction mode before a server: sessions end with each transaction. `roles` are those that may log in. */
export async function startPgbouncer(
  server: TestServer,
  roles: readonly string[] = ["postgres"],
): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-pgbouncer-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const settings = `[databases]
postgres = host=127.0.0.1 port=${server.port} dbname=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, "roles")}
pool_mode = transaction
default_pool_size = 30
max_client_conn = 500
`;
  writeFileSync(join(folder, "roles"), roles.map((role) => `"${role}" ""\n`).join(""), { mode: 0o644 });
  writeFileSync(join(folder, "pgbouncer.ini"), settings, { mode: 0o644 });
  const pooler = spawn("pgbouncer", ["-q", join(folder, "pgbouncer.ini")], { ...USER, stdio: "ignore" });
  const url = server.url.replace(`:${server.port}/`, `:${port}/`);
  await untilReady("pgbouncer", url, pooler);
  return {
    ...server,
    url,
    port,
    async stop() {
      const ended = once(pooler, "exit");
      pooler.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
      await server.stop();
    },
  };
}
