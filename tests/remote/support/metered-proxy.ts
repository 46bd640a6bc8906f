import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface MeteredProxy {
  readonly port: number;
  /** Bytes that passed, both ways, since `allow` was called last. */
  readonly passed: number;
  /** Lets so many bytes pass, and not one more; then calls back. */
  allow(bytes: number, atLimit?: () => void): void;
  close(): Promise<void>;
}

/** Stands between a client and a server, and cuts what goes by at an exact byte. */
export async function startMeteredProxy(target: number): Promise<MeteredProxy> {
  let [passed, limit, atLimit]: [number, number, () => void] = [0, Infinity, () => undefined];
  const sockets = new Set<Socket>();
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("data", (chunk) => {
      const part = chunk.subarray(0, Math.max(0, limit - passed));
      const isOver = passed < limit && passed + chunk.length >= limit;
      passed += part.length;
      if (part.length > 0) to.write(part);
      if (isOver) atLimit();
    });
    from.on("error", () => undefined);
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    forward(client, upstream);
    forward(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    get passed() {
      return passed;
    },
    allow(bytes, called = () => undefined) {
      [passed, limit, atLimit] = [0, bytes, called];
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
