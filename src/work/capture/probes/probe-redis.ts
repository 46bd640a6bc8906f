import { ask, endIfEndless, failureOf, type Question } from "./ask.ts";
import type { SocketEndpoint } from "./endpoint.ts";
import { probeWithout } from "./probe-tcp.ts";
import { AVAILABLE, degraded, type Verdict } from "./verdict.ts";

/** Nothing is sent but what is asked, once. */
const QUIET = {
  protocol: 2,
  disableClientInfo: true,
  enableReadyCheck: false,
  retryStrategy: () => null,
} as const;

/** Sends PING, after AUTH if there is a password. Redis, Valkey and Dragonfly speak the same protocol. */
export async function probeRedis(
  endpoint: SocketEndpoint,
  timeoutMs: number,
  password: string | undefined,
): Promise<Question> {
  const ioredis = await import("ioredis").catch(() => undefined);
  if (ioredis === undefined) return probeWithout("ioredis", endpoint, timeoutMs);
  const { host, port, tls, user } = endpoint;
  return () =>
    ask(timeoutMs, (found) => {
      const client = new ioredis.Redis({ ...QUIET, host, port, ...(tls && { tls: {} }) });
      const fail = (error: unknown) => {
        const code = error instanceof ioredis.ReplyError ? codeOf(error as Error) : undefined;
        found(code === undefined ? failureOf(error, "Redis", client.stream?.bytesRead) : verdictOn(code));
      };
      client.on("error", fail);
      client.on("connect", () => endIfEndless(client.stream));
      // Not given to the client, which would write about a password that is not needed to the console.
      if (password !== undefined)
        client.call("AUTH", ...(user === "" ? [] : [user]), password).catch((error: unknown) => {
          if (error instanceof ioredis.ReplyError) found(degraded("the password was refused"));
        });
      client.ping().then(() => found(AVAILABLE), fail);
      return () => client.disconnect();
    });
}

const codeOf = ({ message }: Error) => /^(?<code>[A-Z]{2,20})\b/.exec(message)?.groups?.["code"];

function verdictOn(code: string): Verdict {
  if (code === "NOAUTH" || code === "NOPERM")
    return { status: "available", reason: "authentication is required" };
  if (code === "LOADING") return degraded("it is still loading its data");
  return degraded(`it answers with the error ${code}`);
}
