import { IMPORT_RECORD } from "../../../core/trails/import-record.ts";
import { infoOrDamage, type CheckpointInfo } from "../../../core/trails/document.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../../../core/store/contract.ts";
import { HIDDEN_PREFIX } from "../../../core/store/hidden-trails.ts";
import { parseJson, textOf } from "../../../core/text/untrusted.ts";
import { isAnchorOfRecords } from "../../../work/project/feed/records.ts";
import type { LedgerFindings } from "../../../work/project/gate.ts";
import { GOVERNANCE_TRAIL } from "./governance.ts";
import { CAPTURE } from "../policy/policy.ts";
import { isEntry } from "../state/entry-shape.ts";
import type { EntryOf } from "../state/entry.ts";
import { sessionOf } from "../state/governance-state.ts";
import { readEntries } from "../ledger/read-entries.ts";

/** What the ledger says of the checkpoints that came since governance began. */
type RecordedCheckpoints = Pick<LedgerFindings, "unrecorded" | "brought">;

type Action = EntryOf<"action">;

/** Bounds how many checkpoints are in memory with their bytes. */
const PAGE = 500;

/** Compares every checkpoint of a governed store with the entries of its ledger. */
export async function findUnrecorded(store: Store): Promise<RecordedCheckpoints> {
  const { actions, evidence } = await readActions(store);
  const turns = new Map<string, string>();
  const unrecorded: CheckpointInfo[] = [];
  const arrivals = new Map<string, Arrival>();
  let hasBegun = false;
  for await (const stored of everyCheckpoint(store)) {
    const action = actions.get(stored.id);
    hasBegun ||= action !== undefined || stored.trail === GOVERNANCE_TRAIL;
    if (action?.action === CAPTURE) turns.set(sessionOf(stored.trail), action.agent);
    if (action !== undefined) noteArrival(arrivals, stored.id, action);
    if (!hasBegun || action !== undefined || evidence.has(stored.foreignId ?? "")) continue;
    const info = infoOrDamage(stored);
    if (!isOfLedger(info) && !isOfTurn(info, turns) && !isAnchorOfRecords(stored)) unrecorded.push(info);
  }
  return { unrecorded, brought: await broughtBy(store, arrivals.values()) };
}

/** What entries name: the checkpoints that were saved with them, and packages of evidence. */
async function readActions(store: Store) {
  const actions = new Map<ObjectId, Action>();
  const evidence = new Set<string>();
  for await (const page of readEntries(store))
    for (const { entry } of page) {
      if (!isEntry(entry)) continue;
      const { type, checkpoint } = entry as unknown as Action;
      // The first: what was gathered in a hidden trail is committed once more when it becomes visible.
      if (type === "action" && checkpoint !== undefined && !actions.has(checkpoint as ObjectId))
        actions.set(checkpoint as ObjectId, entry as unknown as Action);
      if (entry["type"] === "evidence") evidence.add(entry["evidence"] as string);
    }
  return { actions, evidence };
}

/** In the order in which they were committed: those of hidden trails first, which no session writes to. */
async function* everyCheckpoint(store: Store): AsyncGenerator<StoredCheckpoint> {
  const hidden: StoredCheckpoint[] = [];
  for (const { name } of await store.trails({ prefix: HIDDEN_PREFIX }))
    hidden.push(...(await store.find({ trail: name })));
  hidden.sort((one, other) => one.sequence - other.sequence);
  for (let afterSequence = 0; ;) {
    const page = await store.find({ afterSequence, limit: PAGE });
    const last = page.at(-1)?.sequence ?? Infinity;
    while ((hidden[0]?.sequence ?? Infinity) < last) {
      const at = hidden[0]?.sequence as number;
      yield* page.splice(0, page.filter(({ sequence }) => sequence < at).length);
      yield hidden.shift() as StoredCheckpoint;
    }
    yield* page;
    if (last === Infinity) return;
    afterSequence = last;
  }
}

/** What came in one go. */
interface Arrival {
  readonly remote: string | undefined;
  readonly ids: ObjectId[];
}

/** Pulls and imports gather in a hidden trail of their own. The name of a pull's names the remote. */
function noteArrival(arrivals: Map<string, Arrival>, id: ObjectId, { trail = "" }: Action): void {
  const [, way, remote] = /^\.(pull|import)\/([^/]+)/.exec(trail) ?? [];
  if (way === undefined) return;
  const arrival = arrivals.get(trail) ?? { remote: way === "pull" ? remote : undefined, ids: [] };
  arrival.ids.push(id);
  arrivals.set(trail, arrival);
}

/** A file is named by the record that its import left. */
async function broughtBy(
  store: Store,
  arrivals: Iterable<Arrival>,
): Promise<{ origin: string; checkpoints: number }[]> {
  const counts = new Map<string, number>();
  for (const { remote, ids } of arrivals) {
    const origin = remote === undefined ? await fileOf(store, ids) : `the remote ${remote}`;
    counts.set(origin, (counts.get(origin) ?? 0) + ids.length);
  }
  return [...counts].map(([origin, checkpoints]) => ({ origin, checkpoints }));
}

async function fileOf(store: Store, ids: readonly ObjectId[]): Promise<string> {
  for (const records of (await store.attachments(ids)).values()) {
    const record = records.get(IMPORT_RECORD);
    const source = record && textOf(parseJson(new TextDecoder().decode(record)), "source");
    if (source) return `the file ${source}`;
  }
  return "a file";
}

/** Entries that are not actions are committed with a checkpoint of the ledger's own, which they do not name. */
const isOfLedger = ({ trail, trigger }: CheckpointInfo) => trail === GOVERNANCE_TRAIL && trigger === "ledger";

/** What hooks save during a turn is covered by the entry that began it, if the same agent saved it. */
const isOfTurn = ({ trail, trigger, agent_id }: CheckpointInfo, turns: ReadonlyMap<string, string>) =>
  trigger.startsWith("hook:") && agent_id !== null && turns.get(sessionOf(trail)) === agent_id;
