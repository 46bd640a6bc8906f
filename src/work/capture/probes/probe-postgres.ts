import { ask, endIfEndless, failureOf, type Question } from "./ask.ts";
import type { SocketEndpoint } from "./endpoint.ts";
import { probeWithout } from "./probe-tcp.ts";
import { AVAILABLE, degraded, type Verdict } from "./verdict.ts";

/**
 * Connects, as `pg_isready` does. A request to authenticate and an ordinary error both mean that the server is up. No
 * password is ever sent; an eavesdropper learns only a user's name.
 */
export async function probePostgres(endpoint: SocketEndpoint, timeoutMs: number): Promise<Question> {
  const pg = await import("pg").catch(() => undefined);
  if (pg === undefined) return probeWithout("pg", endpoint, timeoutMs);
  const { Client, DatabaseError } = pg.default;
  const { Socket } = await import("node:net");
  return () =>
    ask(timeoutMs, (found) => {
      const socket = new Socket();
      endIfEndless(socket);
      const client = new Client({
        host: endpoint.host,
        port: endpoint.port,
        user: endpoint.user || "postgres",
        application_name: "cairn",
        ssl: false,
        stream: () => socket,
        // A server that asks is up. The client waits for it here until the connection is ended.
        password: () => {
          found(AVAILABLE);
          return Promise.withResolvers<string>().promise;
        },
      });
      const fail = (error: unknown) => {
        const code = error instanceof DatabaseError ? error.code : undefined;
        found(code === undefined ? failureOf(error, "PostgreSQL", socket.bytesRead) : verdictOn(code));
      };
      client.on("error", fail);
      client.connect().then(() => found(AVAILABLE), fail);
      return () => socket.destroy();
    });
}

function verdictOn(code: string): Verdict {
  if (code === "57P03") return degraded("it is starting up or shutting down");
  if (code === "53300") return degraded("it has too many connections");
  // The server refused us, which only a working one does.
  return AVAILABLE;
}
