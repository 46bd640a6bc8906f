import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Stands between a store and PostgreSQL, and cuts the connection when a commit has been done but not answered. */
export interface CuttingProxy {
  readonly port: number;
  /** How many answers were cut so far. */
  readonly cuts: () => number;
  close(): Promise<void>;
}

/** The text of a statement, or, where it was prepared before, its name in a message that binds it. */
const COMMITS = /"\.commit\(|COMMIT|B[^]{4}\0commit\0/;

/** `everyNth` of the requests that commit loses its answer. */
export async function startProxy(serverPort: number, everyNth: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let commits = 0;
  let cuts = 0;
  const proxy = createServer((client) => {
    const server = connect(serverPort, "127.0.0.1");
    let isDoomed = false;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on("data", (data) => {
      if (COMMITS.test(data.toString("latin1")) && ++commits % everyNth === 0) isDoomed = true;
      server.write(data);
    });
    server.on("data", (data) => {
      if (!isDoomed) return client.write(data);
      cuts++;
      client.destroy();
      return false;
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    port: (proxy.address() as AddressInfo).port,
    cuts: () => cuts,
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
