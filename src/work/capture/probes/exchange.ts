import type { Socket } from "node:net";
import type { SocketEndpoint } from "./endpoint.ts";
import { errorCode } from "../../machine/read-bounded.ts";
import { degraded, unavailable, type Verdict } from "./verdict.ts";

export interface Exchange {
  /** Sent once connected, after the TLS handshake if there is one. */
  readonly send: string | Uint8Array;
  /** Asked once connected, and after each piece that arrives. */
  readonly isEnough: (received: Buffer) => boolean;
  /** From looking up the name to the end of the answer. */
  readonly timeoutMs: number;
}

/** What was received, perhaps not enough if the server closed early or sent too much; or why nothing was. */
export type Reply =
  | { readonly received: Buffer; readonly failure?: never }
  | { readonly received?: never; readonly failure: Verdict };

/** More than any expected answer. A server that sends more speaks another protocol, or is hostile. */
const MAX_REPLY_BYTES = 8 * 1024;

/**
 * Connects, sends, and reads until there is enough. Never rejects. However it ends, the socket is
 * destroyed and no timer is left; only a name lookup, which Node cannot cancel, may outlive it.
 */
export async function exchange(endpoint: SocketEndpoint, options: Exchange): Promise<Reply> {
  const connect = await connector(endpoint);
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const { send, isEnough, timeoutMs } = options;
  const timer = setTimeout(
    () => resolve({ failure: unavailable(`no answer within ${timeoutMs} ms`) }),
    timeoutMs,
  );
  let received: Buffer = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    if (isEnough(received) || received.length > MAX_REPLY_BYTES) resolve({ received });
  };
  const socket = connect(() => {
    socket.write(send);
    take(Buffer.alloc(0));
  });
  socket.on("data", take);
  socket.on("error", (error) => resolve({ failure: failureOf(error) }));
  socket.on("close", () => resolve({ received }));
  const reply = await promise;
  clearTimeout(timer);
  socket.destroy();
  return reply;
}

/** A function that starts to connect. TLS is loaded only if needed. */
async function connector({ host, port, tls }: SocketEndpoint): Promise<(onReady: () => void) => Socket> {
  const net = await import("node:net");
  if (!tls) return (onReady) => net.connect({ host, port }, onReady);
  const { connect } = await import("node:tls");
  // An IP address is not a server name: the certificate is then checked against the address itself.
  const servername = net.isIP(host) ? {} : { servername: host };
  return (onReady) => connect({ host, port, ...servername }, onReady);
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "it closed the connection without an answer",
  EPIPE: "it closed the connection without an answer",
  ENOTFOUND: "the host's name is not known",
  EAI_AGAIN: "the host's name could not be looked up",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "no answer in time",
};

function failureOf(error: unknown): Verdict {
  const code = errorCode(error) ?? "unknown error";
  // Something answers, but its identity is unproven. Certificates are never ignored.
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return degraded(`its certificate is not trusted (${code})`);
  if (/^ERR_SSL|^EPROTO/.test(code)) return unavailable("no TLS connection could be made");
  return unavailable(WORDS[code] ?? `the connection failed (${code})`);
}
