import type { SocketEndpoint } from "./endpoint.ts";
import { exchange } from "./exchange.ts";
import { AVAILABLE, type Verdict } from "./verdict.ts";

/** That somebody accepts the connection is all there is to know. */
export async function probeTcp(endpoint: SocketEndpoint, timeoutMs: number): Promise<Verdict> {
  const { failure } = await exchange(endpoint, { send: "", isEnough: () => true, timeoutMs });
  return failure ?? AVAILABLE;
}
