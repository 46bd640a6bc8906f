import { oneLine } from "../../../core/text/visible.ts";
import { count } from "../../../work/state/words.ts";
import type { StoreCommand } from "../verbs.ts";
import * as verbs from "../verbs/shared-stores.ts";

export const storeCopy: StoreCommand<"store copy"> = async (context, { from, to }, output) => {
  const copy = await verbs.copyStores(context.project, {
    from,
    to,
    onProgress: (done) => output.progress(`Copied ${count(done, "checkpoint")}`),
  });
  const { trails, checkpoints, present } = copy;
  const before = present === 0 ? "" : `; ${present} of them were there before`;
  output.result(
    { ...copy },
    `Copied ${count(checkpoints, "checkpoint")} in ${count(trails, "trail")}, and verified them${before}.`,
  );
  if (to === "shared" || to.startsWith("postgres"))
    output.message("Commands use the shared store where CHECKPOINT_STORE, --store or cairn.yaml names it.");
};

export const storeMigrate: StoreCommand<"store migrate"> = async (context, { role }, output) => {
  const { from, to } = await verbs.migrateStore(context.project, { role });
  const done =
    from === 0 ? "Created the store" : from === to ? "The store is up to date" : "Upgraded the store";
  const granted = role === undefined ? "" : ` The role "${role}" may use it.`;
  output.result({ from, to, role: role ?? null }, `${done} (schema version ${to}).${granted}`);
};

export const storeStatus: StoreCommand<"store status"> = async (context, _options, output) => {
  const status = await verbs.storeStatus(context.project);
  const { kind, id, durability, trails } = status;
  const what = kind === "shared" ? "A shared store" : "The store in .cairn";
  const safe =
    durability === "durable" ? "durable" : "NOT durable: what was saved may be lost in a power cut";
  const head = `${what} with ${count(trails, "trail")}, ${safe}. Its id is ${id}.`;
  output.result({ ...status }, [head, ...(status.work === null ? [] : workLines(status.work))].join("\n"));
};

function workLines({
  workers,
  queues,
  oldest_lease_ms: oldest,
}: NonNullable<verbs.StoreStatus["work"]>): string[] {
  const waiting = Object.entries(queues).map(
    ([queue, steps]) => `  queue ${oneLine(queue)}: ${count(steps, "step")} waiting`,
  );
  const working = workers.map(({ host, pid, running, slots, queues: own, note }) => {
    const why = note === null ? "" : `; ${oneLine(note)}`;
    return `  ${oneLine(host)} ${pid}: ${running} of ${slots} running, from ${own.map(oneLine).join(", ")}${why}`;
  });
  const lease = oldest === null ? [] : [`  the oldest lease expires in ${Math.round(oldest / 1000)} s`];
  const head = workers.length === 0 ? "No workers." : `${count(workers.length, "worker")}:`;
  return [head, ...working, ...waiting, ...lease];
}
