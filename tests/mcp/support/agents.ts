import { afterEach, beforeEach } from "vitest";
import { Sandbox } from "../../cli/support/sandbox.ts";
import { AgentClient, type ConnectOptions } from "./agent-client.ts";

/** A sandbox for each test of a file, and the clients that are connected in it, which end with it. */
export class Agents {
  #box: Sandbox | undefined;
  readonly #open: AgentClient[] = [];

  constructor() {
    beforeEach(() => {
      this.#box = new Sandbox();
    });
    afterEach(async () => {
      for (const agent of this.#open.splice(0)) await agent.close();
      this.#box?.remove();
    });
  }

  get box(): Sandbox {
    return this.#box as Sandbox;
  }

  async connect(options?: ConnectOptions): Promise<AgentClient> {
    const agent = await AgentClient.inProcess(this.box, options);
    this.#open.push(agent);
    return agent;
  }

  /** To a server in a process of its own. */
  async start(options?: ConnectOptions): Promise<AgentClient> {
    const agent = await AgentClient.connect(this.box, options);
    this.#open.push(agent);
    return agent;
  }
}
