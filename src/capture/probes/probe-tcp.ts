import type { SocketEndpoint } from "./endpoint.ts";
import { exchange } from "./exchange.ts";
import { AVAILABLE, type Verdict } from "./verdict.ts";

/** Checks only that the connection is accepted. */
export async function probeTcp(endpoint: SocketEndpoint, timeoutMs: number): Promise<Verdict> {
  const { failure } = await exchange(endpoint, { send: "", isEnough: () => true, timeoutMs });
  return failure ?? AVAILABLE;
}
