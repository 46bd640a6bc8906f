import type { SocketEndpoint } from "./endpoint.ts";
import { exchange } from "./exchange.ts";
import { AVAILABLE, degraded, notLike, type Verdict } from "./verdict.ts";

/** Sends PING, after AUTH if there is a password. Redis, Valkey and Dragonfly speak the same protocol. */
export async function probeRedis(
  endpoint: SocketEndpoint,
  timeoutMs: number,
  password: string | undefined,
): Promise<Verdict> {
  const commands = [["PING"]];
  if (password !== undefined) {
    commands.unshift(endpoint.user === "" ? ["AUTH", password] : ["AUTH", endpoint.user, password]);
  }
  const { received, failure } = await exchange(endpoint, {
    send: commands.map(encodeCommand).join(""),
    isEnough: (bytes) => bytes.toString("latin1").split("\r\n").length > commands.length,
    timeoutMs,
  });
  if (failure) return failure;
  const replies = received.toString("latin1").split("\r\n").slice(0, -1);
  // The reply to PING decides, but a refused password is worth reporting.
  const [pong, auth] = [replies[commands.length - 1], password === undefined ? undefined : replies[0]];
  if (auth?.startsWith("-")) return degraded("the password was refused");
  return pong === undefined ? notLike("Redis", received) : verdictOn(pong, received);
}

/** As an array of length-prefixed strings, so that no character of a password has a special meaning. */
function encodeCommand(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`;
}

function verdictOn(reply: string, received: Buffer): Verdict {
  if (reply === "+PONG") return AVAILABLE;
  const code = /^-(?<code>[A-Z]{2,20})\b/.exec(reply)?.groups?.["code"];
  if (code === undefined) return notLike("Redis", received);
  if (code === "NOAUTH" || code === "NOPERM")
    return { status: "available", reason: "authentication is required" };
  if (code === "LOADING") return degraded("it is still loading its data");
  return degraded(`it answers with the error ${code}`);
}
