import type { Socket } from "node:net";
import { errorCode } from "../../machine/read-bounded.ts";
import { degraded, unavailable, type Verdict } from "./verdict.ts";

/** More than any expected answer. A server that sends more speaks another protocol, or is hostile. */
export const MAX_REPLY_BYTES = 8 * 1024;

/** Asks once, of a server whose client is loaded: loading counts neither as its latency nor against its time. */
export type Question = () => Promise<Verdict>;

/**
 * Waits for the first verdict, from looking up the name on. `start` connects and returns what ends the connection, which
 * happens however it goes; only a name lookup, which Node cannot cancel, may outlive it. Never rejects.
 */
export async function ask(
  timeoutMs: number,
  start: (found: (verdict: Verdict) => void) => () => void,
): Promise<Verdict> {
  const { promise, resolve } = Promise.withResolvers<Verdict>();
  const late = unavailable(`no answer within ${timeoutMs} ms`);
  const timer = setTimeout(() => resolve(late), timeoutMs);
  const end = start(resolve);
  const verdict = await promise;
  clearTimeout(timer);
  end();
  return verdict;
}

/** A client waits for the rest of what it takes for a long answer. */
export function endIfEndless(socket: Socket): void {
  socket.on("data", () => {
    if (socket.bytesRead > MAX_REPLY_BYTES) socket.destroy();
  });
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host's name is not known",
  EAI_AGAIN: "the host's name could not be looked up",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "no answer in time",
};

/** Why there was no answer in this protocol. Only system errors have a code that says something. */
export function failureOf(error: unknown, protocol: string, bytesRead: number | undefined): Verdict {
  const code = errorCode(error) ?? "";
  // Something answers, but its identity is unproven. Certificates are never ignored.
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return degraded(`its certificate is not trusted (${code})`);
  if (/^ERR_SSL|^EPROTO/.test(code)) return unavailable("no TLS connection could be made");
  if (bytesRead) return unavailable(`it does not answer like ${protocol}`);
  return unavailable(WORDS[code] ?? "it closed the connection without an answer");
}
