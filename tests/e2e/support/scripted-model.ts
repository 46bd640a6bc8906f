import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chatCompletions } from "./dialects/chat-completions.ts";
import type { Dialect, Turn } from "./dialects/dialect.ts";
import { generateContent } from "./dialects/generate-content.ts";
import { messages } from "./dialects/messages.ts";
import { responses } from "./dialects/responses.ts";

const DIALECTS = [responses, messages, generateContent, chatCompletions];

/** In the form in which Gemini CLI asks for the summary of a conversation. */
const UNSCRIPTED = "<state_snapshot>Nothing was scripted for this.</state_snapshot>";

/** A turn, or one that begins and never goes on: the moment at which a client can be killed. */
type Scripted = Turn | "never ends";

interface Spoken {
  readonly turn: Scripted;
  readonly tokens: number;
}

/** A request that the client made to the model, whatever the API. */
export type ModelRequest = Readonly<Record<string, unknown>>;

/** A model on loopback that says what it was told to, in the API of whoever asks. */
export class ScriptedModel {
  readonly requests: ModelRequest[] = [];
  readonly #turns: Spoken[] = [];
  readonly #server: Server;
  readonly #open = new Set<ServerResponse>();
  #answers = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const dialect = DIALECTS.find(({ path }) => path.test(request.url ?? ""));
        if (dialect === undefined) return response.writeHead(404).end("{}");
        const asked = JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest;
        if (dialect.wholePath?.test(request.url ?? "") !== true)
          return this.#answer(dialect, asked, response);
        const [whole] = dialect.answer(this.#next(asked).turn as Turn, {
          number: ++this.#answers,
          tokens: 1,
        });
        return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole));
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
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What it will say next, one turn a request. What was left over from before is forgotten. */
  script(...turns: readonly (Scripted | Spoken)[]): void {
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

  #next(request: ModelRequest): Spoken {
    // Without tools it is about something else, such as a title for the session, or a summary of it.
    const isAside = request["tools"] === undefined;
    if (!isAside) this.requests.push(request);
    const scripted = isAside ? undefined : this.#turns.shift();
    return scripted ?? { turn: { says: UNSCRIPTED }, tokens: 1 };
  }

  #answer(dialect: Dialect, request: ModelRequest, response: ServerResponse): void {
    this.#open.add(response);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const { turn, tokens } = this.#next(request);
    if (turn === "never ends") {
      response.flushHeaders();
      return void this.#server.emit("hanging");
    }
    for (const event of dialect.answer(turn, { number: ++this.#answers, tokens })) {
      const name = dialect.namesEvents === true ? `event: ${(event as { type: string }).type}\n` : "";
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end(dialect.end);
    this.#open.delete(response);
  }
}

/** Everything that a request says to the model. */
export function said(request: unknown): string {
  if (typeof request === "string") return request;
  if (typeof request !== "object" || request === null) return "";
  return Object.values(request).map(said).filter(Boolean).join("\n");
}

/** What a request should say to the model, and does not. */
export function notSaid(request: unknown, ...parts: readonly string[]): string[] {
  const text = said(request);
  return parts.filter((part) => !text.includes(part));
}
