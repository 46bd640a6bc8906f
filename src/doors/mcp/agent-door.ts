import { randomBytes, randomUUID } from "node:crypto";
import { createRequestStateCodec } from "@modelcontextprotocol/server";
import { actorOf } from "../../work/project/actor.ts";
import type { EventWorld } from "../../work/project/gate.ts";
import type { Notices, Project } from "../../work/project/project.ts";
import { type ClientRequest, clientName } from "./client.ts";
import { Whereabouts } from "./whereabouts.ts";

/** Everything that the server knows of the world: nothing else is read from the process. */
export interface ServerWorld extends EventWorld {
  readonly version: string;
  /** Where the server was started. */
  readonly cwd: string;
  /** The folder that was named when the server was started; it takes precedence. */
  readonly chosenFolder: string | undefined;
  /** A line for people; never to where the protocol is spoken. */
  readonly log: (line: string) => void;
}

/** The door through which agents come: where the one on the other side works, and what is under way for it. */
export class AgentDoor {
  readonly world: ServerWorld;
  readonly whereabouts: Whereabouts;
  /** Signs the questions that are put before the person, so that no answer can be given to one that was not asked. */
  readonly questions = createRequestStateCodec<string>({ key: randomBytes(32) });
  readonly #underway = new Set<Promise<unknown>>();

  constructor(world: ServerWorld) {
    this.world = world;
    this.whereabouts = new Whereabouts(world);
  }

  /** The project that a request is about. The caller of a tool is an agent, never a person. */
  async project(asked: ClientRequest, notices: Notices = this.world.notices): Promise<Project> {
    const { env, now, machine, stores, capabilities } = this.world;
    const place = await this.whereabouts.project(asked.server);
    const actor = actorOf(env, { session: this.whereabouts.session, client: clientName(asked) });
    return { ...place, actor, env, now, machine, stores, capabilities, notices };
  }

  /** A name for an event that comes without one. */
  newEventId(): string {
    return randomUUID();
  }

  /** Runs a call that is finished before the stores are closed. */
  async underway<Result>(call: () => Promise<Result>): Promise<Result> {
    const work = call();
    this.#underway.add(work);
    try {
      return await work;
    } finally {
      this.#underway.delete(work);
    }
  }

  /** Waits for the calls that are under way, then closes the stores. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underway);
    await this.world.stores.close();
  }
}
