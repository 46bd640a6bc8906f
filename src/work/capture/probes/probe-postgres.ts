import type { SocketEndpoint } from "./endpoint.ts";
import { exchange } from "./exchange.ts";
import { AVAILABLE, degraded, notLike, type Verdict } from "./verdict.ts";

const PROTOCOL_3_0 = 3 << 16;
/** An error message is long enough to judge once its five-character code may have arrived. */
const MAX_MESSAGE_BYTES = 4096;

/**
 * Sends a start-up packet, as `pg_isready` does. A request to authenticate and an ordinary error both mean that the
 * server is up. No password is ever sent; an eavesdropper learns only a user's name.
 */
export async function probePostgres(endpoint: SocketEndpoint, timeoutMs: number): Promise<Verdict> {
  const { received, failure } = await exchange(endpoint, {
    send: startUpPacket(endpoint.user || "postgres"),
    isEnough: hasMessage,
    timeoutMs,
  });
  if (failure) return failure;
  if (!hasMessage(received)) return notLike("PostgreSQL", received);
  const kind = String.fromCharCode(received[0] ?? 0);
  if (kind === "R") return AVAILABLE;
  return kind === "E" ? verdictOn(sqlState(received)) : notLike("PostgreSQL", received);
}

function startUpPacket(user: string): Buffer {
  const parameters = Buffer.from(`user\0${user.replaceAll("\0", "")}\0application_name\0cairn\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length, 0);
  head.writeInt32BE(PROTOCOL_3_0, 4);
  return Buffer.concat([head, parameters]);
}

/** Whether one whole message has arrived: a letter, then the length of the rest. */
function hasMessage(bytes: Buffer): boolean {
  if (bytes.length < 5) return false;
  const length = bytes.readUInt32BE(1);
  return length >= 4 && length <= MAX_MESSAGE_BYTES && bytes.length > length;
}

/** The code of an error message: its field `C`. */
function sqlState(message: Buffer): string | undefined {
  const fields = message.toString("latin1", 5).split("\0");
  return fields.find((field) => field.startsWith("C"))?.slice(1);
}

function verdictOn(code: string | undefined): Verdict {
  if (code === "57P03") return degraded("it is starting up or shutting down");
  if (code === "53300") return degraded("it has too many connections");
  // The server refused us, which only a working one does.
  return AVAILABLE;
}
