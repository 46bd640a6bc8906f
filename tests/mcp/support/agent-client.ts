import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { vi } from "vitest";
import type { Sandbox } from "../../cli/support/sandbox.ts";

// Each test starts several programs, which takes long on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

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

/** What a tool answered. */
export interface Called {
  readonly text: string;
  readonly data: Record<string, unknown>;
  readonly isError: boolean;
  /** The failure, where it is one. */
  readonly error: { code: string; message: string; hint: string | null; next: string[] };
}

/** The official client, connected over real pipes to the built program. */
export class AgentClient {
  readonly client: Client;
  readonly #transport: StdioClientTransport;
  #messages = "";

  private constructor(client: Client, transport: StdioClientTransport) {
    this.client = client;
    this.#transport = transport;
    transport.stderr?.on("data", (chunk) => (this.#messages += String(chunk)));
  }

  static async connect(box: Sandbox, options: ConnectOptions = {}): Promise<AgentClient> {
    const { era = "modern", env = {}, cwd = box.folder, args = [], inside = [] } = options;
    const { capabilities = {} } = options;
    const [command = "", ...words] = [...inside, ...box.argv(["mcp", ...args])];
    const transport = new StdioClientTransport({
      command,
      args: words,
      cwd,
      env: box.environment(env),
      stderr: "pipe",
    });
    const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
    const client = new Client(
      { name: options.name ?? "test-client", version: "1.0.0" },
      { capabilities, versionNegotiation: { mode } },
    );
    options.prepare?.(client);
    const agent = new AgentClient(client, transport);
    await client.connect(transport);
    // So that the client holds every answer against the tool's schema.
    await client.listTools();
    return agent;
  }

  get pid(): number {
    return this.#transport.pid as number;
  }

  /** What the server wrote to stderr. */
  messages(): string {
    return this.#messages;
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
  }
}
