import { randomBytes } from "node:crypto";
import { createRequestStateCodec, type McpServer } from "@modelcontextprotocol/server";
import type { Cairn } from "../../checkpoints/cairn.ts";
import { completeWorkState } from "../../checkpoints/complete-work-state.ts";
import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { redactFresh } from "../../redaction/redact-fresh.ts";
import type { Trail } from "../../checkpoints/trail.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { chooseTrail, noCheckpointYet } from "../../sessions/trails/choose-trail.ts";
import { type Asked, clientName } from "./client.ts";
import { LateSaves } from "./late-saves.ts";
import { OpenStores } from "./open-stores.ts";
import { Whereabouts } from "./whereabouts.ts";
import type { Project, World } from "./world.ts";

/** A trail to read, with the store that it is in. */
export interface Reading {
  readonly project: Project;
  readonly cairn: Cairn;
  readonly trail: Trail<WorkState>;
  /** What the caller should know: such as that this is another trail than the usual one. */
  readonly messages: readonly string[];
}

/** What is to be saved. */
export interface Intent<Fresh extends object> {
  readonly trail?: string | undefined;
  readonly trigger: string;
  readonly notes?: string | undefined;
  /** What is changed can only be there already: without a store nothing is created. */
  readonly mustExist?: boolean;
  /** Everything that is new: secrets are looked for in this. */
  readonly fresh: Fresh;
  /** Puts what is new, without its secrets, into the state. May run again, when somebody else was quicker. */
  readonly change: (state: WorkState, fresh: Fresh) => void;
}

export interface Saved {
  readonly checkpoint: CheckpointInfo;
  readonly state: WorkState;
  readonly messages: readonly string[];
}

/** Where all tools of one server work: the open stores, and who is on the other side. */
export class Desk {
  readonly world: World;
  readonly stores: OpenStores;
  readonly whereabouts: Whereabouts;
  readonly lateSaves = new LateSaves();
  /** Signs the questions that are put before the person, so that no answer can be given to one that was not asked. */
  readonly questions = createRequestStateCodec<string>({ key: randomBytes(32) });
  readonly #underway = new Set<Promise<unknown>>();
  readonly #said = new Set<string>();

  constructor(world: World) {
    this.world = world;
    this.stores = new OpenStores(world);
    this.whereabouts = new Whereabouts(world);
  }

  /** Runs a call that sees all that was captured before, and that is finished before the stores are closed. */
  async underway<Result>(call: () => Promise<Result>): Promise<Result> {
    const work = this.lateSaves.done().then(call);
    this.#underway.add(work);
    try {
      return await work;
    } finally {
      this.#underway.delete(work);
    }
  }

  /** Lends the trail that is meant. Where none was named, an empty one gives way to the one that moved last. */
  async read<Result>(
    server: McpServer,
    typed: string | undefined,
    use: (reading: Reading) => Promise<Result>,
  ): Promise<Result> {
    const project = await this.whereabouts.project(server);
    const chosen = chooseTrail(this.world.env, typed, this.whereabouts.session);
    return this.stores.read(project, async (cairn) => {
      const lend = async (name: string, messages: readonly string[]) =>
        use({ project, cairn, trail: cairn.trail(name), messages });
      if (chosen.by === "--trail" || (await cairn.store.head(chosen.name)) !== undefined)
        return lend(chosen.name, []);
      const [latest] = await cairn.trails();
      if (latest === undefined) throw noCheckpointYet();
      return lend(latest.name, [`Trail ${chosen.name} is empty; this is ${latest.name}, which moved last.`]);
    });
  }

  /** Commits a change of the work state, without the secrets in it. */
  async save<Fresh extends object>(server: McpServer, intent: Intent<Fresh>): Promise<Saved> {
    const project = await this.whereabouts.project(server);
    const { name } = chooseTrail(this.world.env, intent.trail, this.whereabouts.session);
    const cairn = await this.stores.toWrite(project, intent.mustExist ? "write" : "create");
    const trail = cairn.trail(name);
    const { fresh, notes } = intent;
    const clean = await redactFresh({ fresh, notes }, await this.world.settings(project.root));
    let state: WorkState | undefined;
    const checkpoint = await trail.commit(
      (draft) => {
        completeWorkState(draft, name);
        intent.change(draft, clean.fresh);
        state = draft;
      },
      {
        trigger: intent.trigger,
        notes: clean.notes,
        session_id: this.whereabouts.session?.id,
        agent_id: this.world.env["CHECKPOINT_AGENT"] || undefined,
      },
    );
    return {
      checkpoint,
      state: state as unknown as WorkState,
      messages: clean.message === undefined ? [] : [clean.message],
    };
  }

  /** When and by whom something is added. Whoever calls a tool is an agent, never a person. */
  signed(asked: Asked): { at: string; by: string } {
    const name = this.world.env["CHECKPOINT_AGENT"] || this.whereabouts.session?.client;
    return { at: this.world.now().toISOString(), by: `agent:${name ?? clientName(asked)}` };
  }

  /** Whether this is the first time that the key is asked for: for what is to be said once. */
  isFirst(key: string): boolean {
    if (this.#said.has(key)) return false;
    this.#said.add(key);
    return true;
  }

  /** Waits for the calls that are under way, then closes the stores. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underway);
    await this.lateSaves.done();
    await this.stores.close();
  }
}
