/**
 * What a store of one's own is made of: the contract, what it is spoken in, and the errors that trails understand.
 * docs/reference/stores.md tells how to write one; `testStore` of "cairn-checkpoint/testing" tells when it is done.
 *
 * @example
 * import { openCairn } from "cairn-checkpoint";
 * import { headMoved, storeClosed, type Commit, type Store } from "cairn-checkpoint/store";
 *
 * class MyStore implements Store { … }
 * const cairn = await openCairn({ store: new MyStore() });
 *
 * @packageDocumentation
 */
// oxlint-disable-next-line import/no-unassigned-import -- First, so that an older Node is refused in words.
import "../../core/store/sqlite/node-sqlite.ts";
export type {
  BuildCommit,
  CheckpointQuery,
  Commit,
  Damage,
  Descended,
  ForeignName,
  LogEntry,
  LogPage,
  Page,
  Progress,
  Records,
  Removal,
  RemovalResult,
  Store,
  StoredCheckpoint,
  StoredTrail,
  TrailQuery,
  StoreIdentity,
  SweepResult,
  Tombstone,
  VerifyReport,
} from "../../core/store/contract.ts";
export { decode } from "../../core/objects/decode.ts";
export { encode, recall, type Encoded, type Memory, type Recognition } from "../../core/objects/encode.ts";
export { createValueCodec, type ValueCodec, type ValueKind } from "../../core/objects/more-than-json.ts";
export { remember } from "../../core/objects/remember.ts";
export { readCheckpoint, writeCheckpoint } from "../../core/trails/document.ts";
export { linksOf, type NewObject } from "../../core/objects/object-format.ts";
export { isObjectId, objectIdOf, type ObjectId } from "../../core/objects/object-id.ts";
export { openMemoryStore, openSqliteStore } from "../../core/store/sqlite.ts";
export { damageAmong, reachableFrom, type FoundObject, type Neighbours } from "../../core/store/damage.ts";
export { HIDDEN_PREFIX, isHidden } from "../../core/store/hidden-trails.ts";
export { chainEntries, logDamage, toLogEntry, type ChainedEntry } from "../../core/store/log-chain.ts";
export { PIN_PREFIX, planRemoval, type Candidate } from "../../core/store/removal-plan.ts";
export {
  assertWellFormed,
  foreignIdTaken,
  headMoved,
  isStaleReference,
  noSuchCheckpoint,
  prunedCheckpoint,
  staleReference,
  storeClosed,
  trailRemoved,
} from "../../core/store/refusals.ts";
