import type { Redis } from "ioredis";
import { listAgents, type AgentReport } from "../gate/agents.ts";
import { Governance } from "../gate/governance.ts";
import { Ledger, type LedgerOptions } from "../ledger/ledger.ts";
import { queryLedger } from "../ledger/query-ledger.ts";
import { writeCache } from "../../cache/redis-cache.ts";
import type { Store } from "../../../core/store/contract.ts";
import type { Project } from "../../../work/project/project.ts";
import { settingsOf } from "../../../work/project/settings/settings.ts";

/** Of all stores that share a cache: `STORE:AGENT`, and the entry that revoked it. */
const REVOCATIONS = "revocations:ledger";

/** How an agent stands is forgotten after this, in case the ledger could not tell the cache what changed. */
const WEEK_S = 7 * 24 * 60 * 60;

/** Entries after which an agent stands differently. Plain actions only count. */
const CHANGES_STANDING: ReadonlySet<unknown> = new Set([
  "registration",
  "promotion",
  "demotion",
  "revocation",
  "restoration",
  "violation",
  "policy",
  "authority",
]);

/** The same store. After each commit that changes how an agent stands, the cache is told, if there is one. */
export async function sharingAgents(
  project: Project,
  store: Store,
  options: Pick<LedgerOptions, "owner" | "now">,
): Promise<Store> {
  if ((await settingsOf(project)).cache === undefined) return store;
  const commit: Store["commit"] = async (change) => {
    // What the ledger records is built inside of a transaction.
    if (!("build" in change)) return store.commit(change);
    let isNews = false;
    const build: typeof change.build = async (head) => {
      const built = await change.build(head);
      isNews = built?.log?.some(({ type }) => CHANGES_STANDING.has(type)) ?? false;
      return built;
    };
    await store.commit({ ...change, build });
    // A ledger of its own, because the one that decides must not be read by two at once.
    if (isNews) await shareAgents(project, await Ledger.open(store, options));
  };
  return { ...store, commit };
}

/**
 * Puts what the ledger says of the agents of this store into the cache, for programs elsewhere, and tells those who listen.
 * Nothing here ever reads it: the ledger decides. What is recorded is durable by now, so no failure of this counts.
 */
export async function shareAgents(project: Project, ledger: Ledger): Promise<void> {
  const { cache: url } = await settingsOf(project);
  if (url === undefined) return;
  const agents = listAgents(new Governance(ledger));
  const entries = agents.some(({ is_revoked }) => is_revoked)
    ? await queryLedger(ledger.store, { type: "revocation" })
    : [];
  const revocations = new Map(entries.map(({ entry, number }) => [entry["agent"], { ...entry, number }]));
  const at = project.now().toISOString();
  try {
    if (await writeCache(url, (redis) => writeAgents(redis, ledger, { agents, revocations, at }))) return;
    project.notices.warning(
      "The cache did not take what changed about the agents, and may show how they stood before. To tell it again: checkpoint agent list",
    );
  } catch (error) {
    project.notices.warning(`The cache was not told of the agents: ${(error as Error).message}`);
  }
}

interface SharedAgents {
  readonly agents: readonly AgentReport[];
  readonly revocations: ReadonlyMap<unknown, unknown>;
  readonly at: string;
}

/** Another process may be telling the cache at the same time, and this one starts again then. */
const MOST_RACES = 5;

/** Writes all agents of a store together, unless what is there comes from a later entry. */
async function writeAgents(
  redis: Redis,
  { storeId, tail: { number } }: Ledger,
  { agents, revocations, at }: SharedAgents,
): Promise<boolean> {
  const newest = `agents:${storeId}`;
  for (let race = 0; race < MOST_RACES; race++) {
    await redis.watch(newest);
    if (Number(await redis.get(newest)) > number) return true;
    const change = redis.multi().set(newest, number, "EX", WEEK_S);
    for (const { agent, ...standing } of agents) {
      const [key, field] = [`agent:${storeId}:${agent}`, `${storeId}:${agent}`];
      const text = JSON.stringify({ agent, ...standing, store: storeId, entry: number, at });
      change.set(key, text, "EX", WEEK_S).publish(`${key}:moved`, `${number}`);
      if (standing.is_revoked) change.hset(REVOCATIONS, field, JSON.stringify(revocations.get(agent)));
      else change.hdel(REVOCATIONS, field);
    }
    if ((await change.publish(`${REVOCATIONS}:moved`, storeId).exec()) !== null) return true;
  }
  return false;
}
