import { CAPABILITIES } from "../../../src/capabilities/list.ts";
import { PassThrough } from "node:stream";
import {
  Client,
  type ClientOptions,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { thisMachine } from "../../../src/work/machine/this-machine.ts";
import { version } from "../../../src/doors/command/version.ts";
import { serveMcp } from "../../../src/doors/mcp/serve.ts";
import { OpenStores } from "../../../src/work/project/open-stores.ts";
import type { Sandbox } from "../../cli/support/sandbox.ts";

/** The protocol of 2025, which most clients speak, and that of 2026. */
export const ERAS = ["legacy", "modern"] as const;
type Era = (typeof ERAS)[number];

export interface ConnectOptions {
  readonly era?: Era;
  /** What the client calls itself. */
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly args?: readonly string[];
  /** A command that runs the server in a world of its own. */
  readonly inside?: readonly string[];
  readonly capabilities?: ClientOptions["capabilities"];
  /** Called before the client connects: what it answers when it is asked. */
  readonly prepare?: (client: Client) => void;
}

/** Compiles each schema once for all clients in this process: every connection brings the same ones. */
class SharedValidators extends AjvJsonSchemaValidator {
  readonly #known = new Map<string, JsonSchemaValidator<unknown>>();

  override getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema);
    const known = this.#known.get(text) ?? super.getValidator(schema);
    this.#known.set(text, known);
    return known as JsonSchemaValidator<T>;
  }
}

const jsonSchemaValidator = new SharedValidators();

/** What a tool answered. */
export interface Called {
  readonly text: string;
  readonly data: Record<string, unknown>;
  readonly isError: boolean;
  /** The failure, where it is one. */
  readonly error: { code: string; message: string; hint: string | null; next: string[] };
}

interface ServerUnderTest {
  readonly pid: () => number;
  readonly messages: () => string;
  /** Resolves once it is gone after the client has left. */
  readonly ended: () => Promise<void>;
}

/** The official client, connected to a server. */
export class AgentClient {
  readonly client: Client;
  readonly #server: ServerUnderTest;

  private constructor(client: Client, server: ServerUnderTest) {
    this.client = client;
    this.#server = server;
  }

  /** Over real pipes to the built program. */
  static async connect(box: Sandbox, options: ConnectOptions = {}): Promise<AgentClient> {
    const { env = {}, cwd = box.folder, args = [], inside = [] } = options;
    const [command = "", ...words] = [...inside, ...box.argv(["mcp", ...args])];
    const transport = new StdioClientTransport({
      command,
      args: words,
      cwd,
      env: box.environment(env),
      stderr: "pipe",
    });
    let messages = "";
    transport.stderr?.on("data", (chunk) => (messages += String(chunk)));
    return AgentClient.#connected(transport, options, {
      pid: () => transport.pid as number,
      messages: () => messages,
      ended: async () => {},
    });
  }

  /** To the same server in this process, over streams: for tests about what it answers. */
  static async inProcess(box: Sandbox, options: ConnectOptions = {}): Promise<AgentClient> {
    const [toServer, fromServer] = [new PassThrough(), new PassThrough()];
    const env = box.environment(options.env);
    const messages: string[] = [];
    const log = (line: string) => void messages.push(line);
    const world = {
      version,
      env,
      cwd: options.cwd ?? box.folder,
      now: () => new Date(env["CAIRN_TEST_NOW"] as string),
      machine: thisMachine,
      stores: new OpenStores({ reopens: true }),
      capabilities: CAPABILITIES,
      notices: { message: () => {}, warning: log },
      chosenFolder: undefined,
      log,
    };
    const stop = new AbortController().signal;
    const served = serveMcp(world, { input: toServer, output: fromServer, stop });
    // On both sides this transport reads lines from one stream and writes them to another.
    return AgentClient.#connected(new StdioServerTransport(fromServer, toServer), options, {
      pid: () => process.pid,
      messages: () => messages.join("\n"),
      ended: async () => {
        toServer.end();
        await served;
      },
    });
  }

  static async #connected(
    transport: Transport,
    { era = "modern", name = "test-client", capabilities = {}, prepare }: ConnectOptions,
    server: ServerUnderTest,
  ): Promise<AgentClient> {
    const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
    const client = new Client(
      { name, version: "1.0.0" },
      { capabilities, versionNegotiation: { mode }, jsonSchemaValidator },
    );
    prepare?.(client);
    const agent = new AgentClient(client, server);
    await client.connect(transport);
    // So that the client holds every answer against the tool's schema.
    await client.listTools();
    return agent;
  }

  get pid(): number {
    return this.#server.pid();
  }

  /** What the server wrote to stderr. */
  messages(): string {
    return this.#server.messages();
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<Called> {
    const result = await this.client.callTool({ name, arguments: input });
    const [first] = result.content as { type: string; text: string }[];
    const text = first?.text ?? "";
    const isError = result.isError === true;
    return {
      text,
      data: (result.structuredContent ?? {}) as Record<string, unknown>,
      isError,
      error: (isError ? (JSON.parse(text) as { error: unknown }).error : undefined) as Called["error"],
    };
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.#server.ended();
  }
}
