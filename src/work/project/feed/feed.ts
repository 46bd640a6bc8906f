import { setTimeout as delay } from "node:timers/promises";
import { isCheckpointError } from "../../../core/errors.ts";
import type { LogEntry, Store } from "../../../core/store/contract.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import type { Project } from "../project.ts";
import { parseConsumer, readCursor, writeCursor } from "./cursors.ts";
import type { FeedEvent, FeedKind, FeedNews, FeedSource } from "./feed-event.ts";
import {
  BEGINNING,
  checkPosition,
  formatCursor,
  parseCursor,
  shortHash,
  type FeedPosition,
} from "./position.ts";
import { newsOfCommit } from "./read-news.ts";

export interface FeedOptions {
  /** The consumer's name. Its cursor is kept in the store: it starts behind what it has acknowledged. */
  readonly as?: string | undefined;
  /** Start behind this event's `cursor` instead. Without either, at the oldest that is kept. */
  readonly after?: string | undefined;
  /** Only these kinds, and notices. */
  readonly kinds?: readonly FeedKind[] | undefined;
  /** Wait for more at the end, until `signal` says stop. */
  readonly follow?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How often a follower looks. A look that finds nothing asks an index, and reads nothing. */
const LOOK_EVERY_MS = 100;
/** The same for a server, and where there is no store at the moment. */
const LOOK_AGAIN_MS = 500;
/** How many commits, or entries of the log, are read at once. */
const PAGE = 200;

/**
 * What happens in a project's store: commits in their order, the ledger's entries in theirs. Every event is told at least
 * once: a consumer that was killed before it acknowledged an event is told of it again, under the same id.
 *
 * @example
 * const project = openProject({ path: "." });
 * await goal(project, { goal: "Ship the login page" });
 * const feed = await openFeed(project, { as: "deploy-bot", kinds: ["commit", "approval"] });
 * for await (const event of feed) {
 *   console.log(event.type, event.trail);
 *   await feed.acknowledge(event);
 * }
 * await project.stores.close();
 */
export async function openFeed(project: Project, options: FeedOptions = {}): Promise<Feed> {
  const parts = project.capabilities.flatMap(({ feed }) => (feed === undefined ? [] : [feed()]));
  const consumer = options.as === undefined ? undefined : parseConsumer(options.as);
  if (options.after !== undefined) parseCursor(options.after);
  const feed = new Feed(project, { ...options, as: consumer }, await Promise.all(parts));
  await feed.store();
  return feed;
}

/** Iterated once. */
export class Feed implements AsyncIterable<FeedEvent> {
  readonly #project: Project;
  readonly #options: FeedOptions;
  readonly #sources: readonly FeedSource[];
  #position: FeedPosition = BEGINNING;
  /** When the newest commit was made that the consumer saw before: what was pruned after that, it missed. 0 once it is known. */
  #seenAt = 0;
  #hasTold = false;

  constructor(project: Project, options: FeedOptions, sources: readonly FeedSource[]) {
    this.#project = project;
    this.#options = options;
    this.#sources = sources.filter(({ kinds }) => kinds.some(this.#wants));
  }

  readonly #wants = (kind: FeedNews["kind"]): boolean =>
    kind === "notice" || this.#options.kinds === undefined || this.#options.kinds.includes(kind);

  /** The store as it is now. A consumer with a name writes its cursor there; no gate is asked, because it changes no work. */
  async store(): Promise<Store> {
    const opening = this.#options.as === undefined ? "read" : "write";
    return (await this.#project.stores.open(this.#project, opening, null)).store;
  }

  /**
   * The consumer has dealt with an event, or with a cursor, and all before it. Durable before it resolves. It costs a sync, so
   * a consumer that does much may acknowledge every so often: what it has not acknowledged it is told again.
   */
  async acknowledge(event: Pick<FeedEvent, "cursor"> | string): Promise<void> {
    const cursor = typeof event === "string" ? event : event.cursor;
    parseCursor(cursor);
    const { as } = this.#options;
    if (as !== undefined) await writeCursor(await this.store(), as, { cursor, now: this.#project.now() });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FeedEvent> {
    const { follow = false, signal } = this.#options;
    let known: Store | undefined;
    const isOver = () => signal?.aborted === true;
    while (!isOver()) {
      const store = await (known === undefined ? this.store() : this.store().catch(undefinedIfAway));
      if (store !== undefined && store !== known) yield* this.#start(store, known === undefined);
      const before = this.#position;
      if (store !== undefined) {
        known = store;
        yield* this.#commits(store);
        yield* this.#entries(store);
      }
      if (this.#position !== before) {
        // What comes before the first event that is wanted is not read again: a consumer may want rare ones.
        if (!this.#hasTold) await this.acknowledge(formatCursor(this.#position));
        continue;
      }
      if (!follow) return;
      this.#seenAt = 0;
      const isFar = store === undefined || this.#project.shared !== undefined;
      await delay(isFar ? LOOK_AGAIN_MS : LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Finds where to begin. */
  async *#start(store: Store, isFirst: boolean): AsyncGenerator<FeedEvent> {
    const { as, after } = this.#options;
    const kept = isFirst ? (after ?? (as && (await readCursor(store, as)))) : formatCursor(this.#position);
    const checked = await checkPosition(store, kept === undefined ? BEGINNING : parseCursor(kept));
    this.#position = checked.position;
    this.#seenAt = checked.seenAt;
    if (checked.problem !== undefined) yield this.#notice(checked.problem);
  }

  #notice(type: keyof typeof NOTICES): FeedEvent {
    const at = this.#project.now().toISOString();
    const cursor = formatCursor(this.#position);
    this.#seenAt = 0;
    this.#hasTold = true;
    return { id: `${type}:${cursor}`, cursor, at, trail: null, kind: "notice", type, message: NOTICES[type] };
  }

  async *#commits(store: Store): AsyncGenerator<FeedEvent> {
    for (const stored of await store.find({ afterSequence: this.#position.sequence, limit: PAGE })) {
      const { sequence, id, parent, trail } = stored;
      const isGap = this.#seenAt > 0 && sequence > this.#position.sequence + 1 && parent !== undefined;
      const tombstone = isGap ? await store.tombstone(parent) : undefined;
      if (tombstone !== undefined && tombstone.createdAt >= this.#seenAt) yield this.#notice("pruned");
      const { at, news } = await newsOfCommit(store, stored, this.#sources);
      const next = { ...this.#position, sequence, checkpoint: id };
      yield* this.#tell(news, next, (index) => ({ id: index === 0 ? id : `${id}.${index}`, at, trail }));
    }
  }

  /** Only the store's own chain: what stands in those of trails only adds to counts, and every commit is told anyway. */
  async *#entries(store: Store): AsyncGenerator<FeedEvent> {
    const sources = this.#sources.filter(({ ofEntry }) => ofEntry);
    let after: number | LogEntry = this.#position.entry;
    for (let page: LogEntry[] = []; sources.length > 0; after = page.at(-1) as LogEntry) {
      page = await store.readLog({ after, limit: PAGE });
      for (const entry of page.filter(({ trail }) => trail === undefined)) {
        const news = sources.flatMap((source) => source.ofEntry?.(entry) ?? []);
        const at = textOf(entry.entry, "at") ?? "";
        const next = { ...this.#position, entry: entry.number, entryHash: shortHash(entry.hash) };
        yield* this.#tell(news, next, (index) => ({ id: `${entry.hash}.${index}`, at, trail: null }));
      }
      if (page.length < PAGE) return;
    }
  }

  /** Only the last event of a commit moves the cursor past it: one that was killed in between is told of all of them again. */
  async *#tell(
    all: readonly FeedNews[],
    next: FeedPosition,
    envelope: (index: number) => Pick<FeedEvent, "id" | "at" | "trail">,
  ): AsyncGenerator<FeedEvent> {
    const wanted = [...all.entries()].filter(([, { kind }]) => this.#wants(kind));
    for (const [place, [index, news]] of wanted.entries()) {
      const cursor = formatCursor(place === wanted.length - 1 ? next : this.#position);
      this.#hasTold = true;
      yield { ...envelope(index), cursor, ...news };
    }
    this.#position = next;
  }
}

/** A store that is gone, or a server that does not answer, may come back. */
function undefinedIfAway(error: unknown): undefined {
  if (isCheckpointError(error, "corrupt") || !isCheckpointError(error)) throw error;
}

const NOTICES = {
  restored:
    "The store is not the one that the cursor was kept for: it was restored from a copy, or replaced. All that is kept is told again, from the oldest on.",
  pruned:
    "Checkpoints were pruned before they were acknowledged. The oldest that is kept comes next; what was pruned is not told.",
} as const;
