import { ask, failureOf, MAX_REPLY_BYTES, type Question } from "./ask.ts";
import type { SocketEndpoint } from "./endpoint.ts";
import { AVAILABLE, degraded, unavailable, type Verdict } from "./verdict.ts";

/** Requests the declared path and looks only at the status: redirects are not followed, and the body is never read. */
export async function probeHttp(endpoint: SocketEndpoint, timeoutMs: number): Promise<Question> {
  const { host, port, path, tls } = endpoint;
  const { request } = tls ? await import("node:https") : await import("node:http");
  return () =>
    ask(timeoutMs, (found) => {
      const headers = { "User-Agent": "cairn", Accept: "*/*" };
      const options = { host, port, path, headers, agent: false, maxHeaderSize: MAX_REPLY_BYTES };
      const sent = request(options, ({ statusCode }) => found(verdictOn(path, statusCode ?? 0)));
      sent.on("error", (error) => found(failureOf(error, "HTTP", sent.socket?.bytesRead)));
      sent.end();
      return () => sent.destroy();
    });
}

function verdictOn(path: string, status: number): Verdict {
  const isVault = path.split("?")[0]?.endsWith("/v1/sys/health");
  return (isVault ? VAULT[status] : undefined) ?? ordinary(status);
}

/** The statuses of Vault's health endpoint. */
const VAULT: Readonly<Record<string, Verdict>> = {
  200: AVAILABLE,
  429: { status: "available", reason: "standby" },
  472: degraded("a disaster-recovery secondary, which serves no requests"),
  473: { status: "available", reason: "performance standby" },
  474: degraded("a standby that cannot reach the active node"),
  501: unavailable("not initialised"),
  503: unavailable("sealed"),
};

function ordinary(status: number): Verdict {
  if (status === 401 || status === 403) return { status: "available", reason: "authentication is required" };
  if (status >= 300 && status < 400) return { status: "available", reason: `HTTP ${status}, not followed` };
  return status < 300 ? AVAILABLE : degraded(`HTTP ${status}`);
}
