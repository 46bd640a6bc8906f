import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the model says in one turn. */
export type Turn =
  | { readonly says: string }
  | { readonly calls: string; readonly of?: string; readonly with: object }
  | { readonly patches: string }
  /** Begins to answer, and never goes on: the moment at which a client can be killed. */
  | "never ends";

/** How many tokens the client is told that it used; more than its limit makes it compact. */
interface Spoken {
  readonly turn: Turn;
  readonly tokens: number;
}

interface InputItem {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly { readonly text?: string }[];
}

/** A request that the client made to the model. */
export interface ModelRequest {
  readonly input: readonly InputItem[];
}

/** A model on loopback that says what it was told to: the Responses API as far as Codex needs it. */
export class ScriptedModel {
  readonly requests: ModelRequest[] = [];
  readonly #turns: Spoken[] = [];
  readonly #server: Server;
  readonly #open = new Set<ServerResponse>();

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        if (request.url === "/v1/responses")
          this.#answer(JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest, response);
        else response.writeHead(404).end("{}");
      });
    });
  }

  static async start(): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    model.#server.listen(0, "127.0.0.1");
    await once(model.#server, "listening");
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** What it will say next, one turn a request. What was left over from before is forgotten. */
  script(...turns: readonly (Turn | Spoken)[]): void {
    this.requests.length = 0;
    this.#turns.splice(
      0,
      this.#turns.length,
      ...turns.map((turn) => (typeof turn === "object" && "turn" in turn ? turn : { turn, tokens: 100 })),
    );
  }

  /** Resolves when a turn that never ends has begun. */
  async isHanging(): Promise<void> {
    await once(this.#server, "hanging");
  }

  async stop(): Promise<void> {
    for (const response of this.#open) response.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #answer(request: ModelRequest, response: ServerResponse): void {
    this.#open.add(response);
    this.requests.push(request);
    const number = this.requests.length;
    const { turn, tokens } = this.#turns.shift() ?? {
      turn: { says: "Nothing was scripted for this." },
      tokens: 1,
    };
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (event: { type: string }) =>
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    send({ type: "response.created", response: { id: `r${number}` } } as { type: string });
    if (turn === "never ends") return void this.#server.emit("hanging");
    send({ type: "response.output_item.done", item: itemOf(turn, number) } as { type: string });
    const usage = { input_tokens: tokens, output_tokens: 5, total_tokens: tokens + 5 };
    send({ type: "response.completed", response: { id: `r${number}`, usage } } as { type: string });
    response.end();
    this.#open.delete(response);
  }
}

function itemOf(turn: Exclude<Turn, "never ends">, number: number): object {
  const ids = { id: `item${number}`, call_id: `call${number}` };
  if ("says" in turn)
    return {
      type: "message",
      id: ids.id,
      role: "assistant",
      content: [{ type: "output_text", text: turn.says }],
    };
  if ("patches" in turn)
    return { type: "custom_tool_call", ...ids, name: "apply_patch", input: turn.patches };
  const namespace = turn.of === undefined ? {} : { namespace: turn.of };
  return {
    type: "function_call",
    ...ids,
    ...namespace,
    name: turn.calls,
    arguments: JSON.stringify(turn.with),
  };
}

/** Everything that a request says to the model in one role. */
export function said(request: ModelRequest | undefined, role: string): string {
  return (request?.input ?? [])
    .filter((item) => item.role === role)
    .flatMap((item) => item.content ?? [])
    .map(({ text }) => text ?? "")
    .join("\n");
}
