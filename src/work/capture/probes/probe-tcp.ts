import { ask, failureOf, type Question } from "./ask.ts";
import type { SocketEndpoint } from "./endpoint.ts";
import { AVAILABLE } from "./verdict.ts";

/** Checks only that the connection is accepted, and with TLS, by whom. */
export async function probeTcp(endpoint: SocketEndpoint, timeoutMs: number): Promise<Question> {
  const { host, port, tls } = endpoint;
  const { connect, isIP } = await import("node:net");
  // An IP address is not a server name: the certificate is then checked against the address itself.
  const secure = tls && { connect: (await import("node:tls")).connect, servername: isIP(host) ? "" : host };
  return () =>
    ask(timeoutMs, (found) => {
      const accepted = () => found(AVAILABLE);
      const socket = secure
        ? secure.connect({ host, port, servername: secure.servername }, accepted)
        : connect({ host, port }, accepted);
      socket.on("error", (error) => found(failureOf(error, "TCP", 0)));
      return () => socket.destroy();
    });
}

/** For a server whose client is not installed. */
export async function probeWithout(
  client: string,
  endpoint: SocketEndpoint,
  timeoutMs: number,
): Promise<Question> {
  const connect = await probeTcp(endpoint, timeoutMs);
  return async () => {
    const verdict = await connect();
    if (verdict.status !== "available") return verdict;
    return { ...verdict, reason: `reachable; not asked, "${client}" is not installed` };
  };
}
