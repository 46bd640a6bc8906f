import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CheckpointError, messageOf } from "../../core/errors.ts";
import type { Incoming, Receiver, Reply } from "./integration.ts";

/** What an approval takes, with much room. GitHub and Slack would send more for other events, which nobody needs. */
const MAX_BODY_BYTES = 2 ** 20;
const REQUEST_MS = 10_000;

export interface Listening {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Takes requests at `/name` of each receiver, on this machine only: a proxy with TLS stands in front of it. */
export async function listen(
  receivers: ReadonlyMap<string, Receiver>,
  { port, tell }: { readonly port: number; readonly tell: (line: string) => void },
): Promise<Listening> {
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const failed = (error: unknown): Reply => ({ status: 500, told: messageOf(error) });
    const { status, body = {}, told } = await answer(receivers, request).catch(failed);
    if (told !== undefined) tell(told);
    const closing = status === 413 ? { connection: "close" } : {};
    response.writeHead(status, { "content-type": "application/json", ...closing });
    response.end(JSON.stringify(body));
  };
  const limits = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS };
  const server = createServer(limits, (request, response) => void reply(request, response));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(port, "127.0.0.1", resolve);
  await promise.catch((cause: unknown) => {
    throw new CheckpointError("conflict", `Port ${port} cannot be used: ${messageOf(cause)}.`, { cause });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => void server.close(done));
    },
  };
}

async function answer(receivers: ReadonlyMap<string, Receiver>, request: IncomingMessage): Promise<Reply> {
  const receiver = receivers.get((request.url ?? "").split("?")[0]?.slice(1) ?? "");
  if (receiver === undefined) return { status: 404 };
  if (request.method !== "POST") return { status: 405 };
  const body = await readBody(request);
  if (body === undefined)
    return { status: 413, told: `Refused a request of more than ${MAX_BODY_BYTES} bytes.` };
  const headers: Incoming["headers"] = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
  return receiver({ headers, body });
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
