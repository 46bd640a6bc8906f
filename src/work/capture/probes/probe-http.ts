import type { SocketEndpoint } from "./endpoint.ts";
import { exchange } from "./exchange.ts";
import { AVAILABLE, degraded, notLike, unavailable, type Verdict } from "./verdict.ts";

/**
 * Requests the declared path and looks only at the status. Over a bare socket, because `node:http` takes 30 ms to
 * import; so redirects are not followed, and the body is never read.
 */
export async function probeHttp(endpoint: SocketEndpoint, timeoutMs: number): Promise<Verdict> {
  const { received, failure } = await exchange(endpoint, {
    send: request(endpoint),
    isEnough: (bytes) => bytes.includes("\n"),
    timeoutMs,
  });
  if (failure) return failure;
  const status = /^HTTP\/\d(?:\.\d)? (?<status>\d{3})\b/.exec(received.toString("latin1", 0, 64))?.groups?.[
    "status"
  ];
  if (status === undefined) return notLike("HTTP", received);
  const isVault = endpoint.path.split("?")[0]?.endsWith("/v1/sys/health");
  return (isVault ? VAULT[status] : undefined) ?? ordinary(Number(status));
}

function request({ host, port, path }: SocketEndpoint): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `GET ${path} HTTP/1.1\r\nHost: ${name}:${port}\r\nUser-Agent: cairn\r\nAccept: */*\r\nConnection: close\r\n\r\n`;
}

/** The statuses of Vault's health endpoint. */
const VAULT: Readonly<Record<string, Verdict>> = {
  200: AVAILABLE,
  429: { status: "available", reason: "standby" },
  472: degraded("a disaster-recovery secondary, which serves nobody"),
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
