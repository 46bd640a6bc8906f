import type { Cairn } from "../../work/state/cairn.ts";
import { ImmutableTrail } from "../../work/state/immutable-trail.ts";
import type { Redactor } from "../../core/redaction/redactor.ts";
import type { Json } from "../../core/objects/json.ts";
import { trailPart } from "../../work/sessions/session.ts";
import { applyOnce, type History, replaceCall, type Transaction } from "./history.ts";
import { fromJson, toJson } from "./item-json.ts";

export interface CairnSessionOptions {
  /** The session's name. Opening the same name continues the session. */
  readonly sessionId: string;
  /** Takes secrets out of items before they are stored. Without one they come back as they were given. */
  readonly redactor?: Redactor | undefined;
}

/** A change of calls in the history, as @openai/agents describes it. */
interface Mutation<Item> {
  readonly type: "replace_function_call";
  readonly callId: string;
  readonly replacement: Item;
}

interface HistoryTransaction<Item> {
  readonly operationId: string;
  readonly transaction: Transaction<Item>;
}

/**
 * A session of @openai/agents in a trail of a Cairn store (`openai-agents/<id>`). Each change is one durable commit;
 * several processes may use one session; what was cleared, popped or compacted away stays in the trail's history.
 *
 * @example
 * import { Agent, run, type AgentInputItem } from "@openai/agents";
 * import { openCairn } from "cairn-checkpoint";
 * import { CairnSession } from "cairn-checkpoint/openai-agents";
 *
 * const cairn = await openCairn();
 * const session = new CairnSession<AgentInputItem>(cairn, { sessionId: "support-42" });
 * await run(agent, "Where were we?", { session });
 */
export class CairnSession<Item extends object> {
  readonly #id: string;
  readonly #redactor: Redactor | undefined;
  readonly #trail: ImmutableTrail<History>;

  constructor(cairn: Cairn, { sessionId, redactor }: CairnSessionOptions) {
    this.#id = sessionId;
    this.#redactor = redactor;
    const empty: History = { session_id: sessionId, items: [], operations: {} };
    this.#trail = new ImmutableTrail(cairn, `openai-agents/${trailPart(sessionId)}`, empty);
  }

  async getSessionId(): Promise<string> {
    return this.#id;
  }

  /** The items in their order; with a limit, the newest of them. */
  async getItems(limit?: number): Promise<Item[]> {
    const items = (await this.#trail.read())?.items ?? [];
    const wanted = limit === undefined ? items : items.slice(Math.max(items.length - Math.max(limit, 0), 0));
    return wanted.map((item) => fromJson(item) as Item);
  }

  async addItems(items: Item[]): Promise<void> {
    const added = this.#toStore(items);
    if (added.length === 0) return;
    await this.#change("add", (history) => ({ ...history, items: [...history.items, ...added] }));
  }

  /** Takes the newest item away. Two that do so at once get different ones. */
  async popItem(): Promise<Item | undefined> {
    let popped: Json | undefined;
    await this.#change("pop", (history) => {
      popped = history.items.at(-1);
      return popped === undefined ? history : { ...history, items: history.items.slice(0, -1) };
    });
    return popped === undefined ? undefined : (fromJson(popped) as Item);
  }

  async clearSession(): Promise<void> {
    await this.#change("clear", (history) => ({ ...history, items: [], operations: {} }));
  }

  /** Replaces the whole history with a compacted one, in one step. */
  async replaceHistoryWithCompaction(items: Item[]): Promise<void> {
    const compacted = this.#toStore(items);
    await this.#change("compact", (history) => ({ ...history, items: compacted }));
  }

  async applyHistoryMutations({ mutations }: { mutations: Mutation<Item>[] }): Promise<void> {
    const changes = mutations.map(({ callId, replacement }) => ({
      callId,
      to: this.#toStore([replacement])[0] as Json,
    }));
    if (changes.length === 0) return;
    await this.#change("rewrite", (history) => ({
      ...history,
      items: changes.reduce<readonly Json[]>(
        (items, { callId, to }) => replaceCall(items, callId, to),
        history.items,
      ),
    }));
  }

  /** A change that the runner may ask for again after a crash: it happens once. */
  async applyHistoryTransaction({ operationId, transaction }: HistoryTransaction<Item>): Promise<void> {
    const change: Transaction<Json> =
      transaction.type === "append_items"
        ? { type: transaction.type, items: this.#toStore(transaction.items) }
        : {
            type: transaction.type,
            expectedSuffix: this.#toStore(transaction.expectedSuffix),
            replacement: this.#toStore(transaction.replacement),
          };
    await this.#change("transaction", (history) => applyOnce(history, operationId, change));
  }

  #toStore(items: readonly Item[]): Json[] {
    const json = items.map(toJson);
    return this.#redactor === undefined ? json : this.#redactor.redact(json).value;
  }

  async #change(trigger: string, change: (history: History) => History): Promise<void> {
    await this.#trail.update(change, { trigger, session_id: this.#id });
  }
}
