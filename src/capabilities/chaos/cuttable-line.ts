import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";
import type { ReachableStore } from "../../work/project/shared-store.ts";

const POSTGRES_PORT = 5432;

/** A proxy on loopback in front of a server, so that a process that uses its address can be cut off. */
export async function cuttableLine({ url: server, schema }: ReachableStore) {
  const target = new URL(server);
  const open = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((socket) => {
    open.add(socket);
    const beyond = connect(Number(target.port || POSTGRES_PORT), target.hostname);
    pipeline(socket, beyond, socket, () => open.delete(socket));
    if (isCut) socket.destroy();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const url = new URL(server);
  url.hostname = "127.0.0.1";
  url.port = String((proxy.address() as AddressInfo).port);
  if (schema !== undefined) url.searchParams.set("schema", schema);
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.href,
    cutFor: (ms: number) => {
      cut();
      setTimeout(() => (isCut = false), ms).unref();
    },
    close: () => {
      cut();
      proxy.close();
    },
  };
}
