import { listAgents } from "../../governance/gate/agents.ts";
import { Governance } from "../../governance/gate/governance.ts";
import { withMethods } from "../../governance/ledger/append-log.ts";
import { Ledger, type LedgerOptions } from "../../governance/ledger/ledger.ts";
import { queryLedger } from "../../governance/ledger/query-ledger.ts";
import { useCache } from "../../remote/cache/redis-cache.ts";
import type { Store } from "../../store/contract.ts";
import type { Project } from "../project.ts";
import { settingsOf } from "../settings/settings.ts";

/** Of all stores that share a cache: `STORE:AGENT`, and the entry that revoked it. */
const REVOCATIONS = "revocations:ledger";

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
export async function sharingAgents(project: Project, store: Store): Promise<Store> {
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
    if (isNews) await shareAgents(project, await openLedger(project, store));
  };
  return withMethods(store, { commit });
}

export const openLedger = (
  { env, machine, now }: Project,
  store: Store,
  options: Pick<LedgerOptions, "isUnpinned"> = {},
): Promise<Ledger> => Ledger.open(store, { owner: { env, userId: machine.userId }, now, ...options });

/**
 * Puts what the ledger says of the agents of this store into the cache, for programs elsewhere, and tells those who listen.
 * Nothing here ever reads it: the ledger decides. What is recorded is durable by now, so no failure of this counts.
 */
export async function shareAgents(project: Project, ledger: Ledger): Promise<void> {
  const { cache: url } = await settingsOf(project);
  if (url === undefined) return;
  const { storeId, tail, store } = ledger;
  const agents = listAgents(new Governance(ledger));
  const entries = agents.some(({ is_revoked }) => is_revoked)
    ? await queryLedger(store, { type: "revocation" })
    : [];
  const revocations = new Map(entries.map(({ entry, number }) => [entry["agent"], { ...entry, number }]));
  const told = { store: storeId, entry: tail.number, at: project.now().toISOString() };
  try {
    await useCache(url, (redis) => {
      const change = redis.multi();
      for (const { agent, ...standing } of agents) {
        const [key, field] = [`agent:${storeId}:${agent}`, `${storeId}:${agent}`];
        change
          .set(key, JSON.stringify({ agent, ...standing, ...told }))
          .publish(`${key}:moved`, `${tail.number}`);
        if (standing.is_revoked) change.hset(REVOCATIONS, field, JSON.stringify(revocations.get(agent)));
        else change.hdel(REVOCATIONS, field);
      }
      return change.publish(`${REVOCATIONS}:moved`, storeId).exec();
    });
  } catch (error) {
    project.notices.warning(`The cache was not told of the agents: ${(error as Error).message}`);
  }
}
