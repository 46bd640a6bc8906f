import { FAULTS, type Mutant } from "./mutant.ts";

const SUITE = ["src/core/store/sqlite.test.ts"];
const MAPS = ["examples/store/memory-store.test.ts"];

/** Durability, order and damage. */
export const STORE_MUTANTS: readonly Mutant[] = [
  // Sync.
  {
    guard: "sync at each commit",
    file: "src/core/store/sqlite/open.ts",
    from: "synchronous = FULL; PRAGMA",
    to: "synchronous = NORMAL; PRAGMA",
    tests: SUITE,
  },
  {
    guard: "sync of a new folder's name",
    file: "src/core/store/sqlite/open.ts",
    from: "if (isNew) syncParents(",
    to: "if (!isNew) syncParents(",
    tests: [`${FAULTS}/synced-before-said.test.ts`],
    only: "first checkpoint",
    isBuilt: true,
  },
  {
    guard: "no more acknowledgements after a disk error in a commit",
    file: "src/core/store/sqlite/connection.ts",
    from: 'if (isWriteFault(error)) this.#state = "failed";\n      if (this.#db.isOpen',
    to: "if (this.#db.isOpen",
    tests: [`${FAULTS}/io-errors.test.ts`],
    only: "EIO' }",
  },
  // Hash.
  {
    guard: "hash of every object that is read",
    file: "src/core/objects/read-tree.ts",
    from: "if (objectIdOf(bytes) !== id) throw damagedObject(id);",
    to: "",
    tests: ["src/core/objects/hostile.test.ts", "src/core/objects/encode.test.ts", ...SUITE],
  },
  {
    guard: "hash of every object that is verified",
    file: "src/core/store/damage.ts",
    from: "|| objectIdOf(bytes) !== id",
    to: "",
    tests: [...MAPS, ...SUITE],
  },
  {
    guard: "chain of the log",
    file: "src/core/store/log-chain.ts",
    from: "entry.hash !== hash",
    to: 'hash === ""',
    tests: ["src/core/store/log-chain.test.ts"],
  },
  // Compare and swap.
  {
    guard: "compare-and-swap of heads (SQLite)",
    file: "src/core/store/sqlite/write-commit.ts",
    from: "if (change.head && change.head.from !== trail.head)",
    to: "if (change.head && trail.id < 0)",
    tests: SUITE,
  },
  {
    guard: "compare-and-swap of heads (maps)",
    file: "examples/store/memory-index.ts",
    from: "if (head && head.from !== found)",
    to: "if (head && trail === '')",
    tests: MAPS,
  },
  {
    guard: "no whole state over an unseen head",
    file: "src/core/trails/trail-writer.ts",
    from: "if (actual !== head) throw headMoved(trail, head, actual);",
    to: "",
    tests: ["src/core/trails/trail.test.ts"],
  },
  // Lock.
  {
    guard: "write lock taken before reading",
    file: "src/core/store/sqlite/write-lock.ts",
    from: "BEGIN IMMEDIATE",
    to: "BEGIN",
    tests: ["src/core/store/sqlite/write-lock.test.ts", `${FAULTS}/concurrency.test.ts`],
  },
  {
    guard: "waiting for others while a store is made",
    file: "src/core/store/sqlite/open.ts",
    from: "if (!isBusy(error) || process.uptime() > deadline)",
    to: "if (deadline > 0)",
    tests: [`${FAULTS}/concurrency.test.ts`],
  },
  {
    guard: "one runner for a run",
    file: "src/core/store/sqlite/file-lock.ts",
    from: "BEGIN EXCLUSIVE",
    to: "SELECT 1",
    tests: ["tests/workflow/recovery.test.ts"],
    only: "the lock of a run",
  },
  {
    guard: "epoch of a run: a woken runner changes nothing",
    file: "src/capabilities/workflow/runner/run-journal.ts",
    from: "if (head.state.run.epoch !== expected) throw takenOver(head.state.run);",
    to: "",
    tests: ["tests/workflow/recovery.test.ts"],
  },
  {
    guard: "claim of an attempt: no step starts twice",
    file: "src/capabilities/workflow/engine/attempt-folder.ts",
    from: '{ mode: 0o600, flag: "wx" });\n    return { kind: "never" };',
    to: '{ mode: 0o600 });\n    return { kind: "never" };',
    tests: ["tests/workflow/recovery.test.ts"],
  },
  // Sweep and prune.
  {
    guard: "nothing that was packed before a sweep is written after it",
    file: "src/core/store/sqlite/write-commit.ts",
    from: "packed.sweeps === counters.sweeps ? packed.objects",
    to: "packed.sweeps >= 0 ? packed.objects",
    tests: [`${FAULTS}/warm-handle.test.ts`],
  },
  {
    guard: "a head is never pruned",
    file: "src/core/store/removal-plan.ts",
    from: 'if (place.isHead && !doomed.has(place.trail)) keep(place, "head");\n    else if',
    to: "if",
    tests: SUITE,
  },
  {
    guard: "a pinned checkpoint is never pruned",
    file: "src/core/store/removal-plan.ts",
    from: "place.isPinned",
    to: "place.trail === ''",
    tests: SUITE,
  },
  {
    guard: "a fork point is never pruned",
    file: "src/core/store/removal-plan.ts",
    from: "if (!isForkPoint(place)) continue;",
    to: "if (place.trail !== '') continue;",
    tests: SUITE,
  },
  // Mark, and files that go away.
  {
    guard: "mark written after each commit",
    file: "src/core/store/sqlite/connection.ts",
    from: "if (newest) this.#mark?.write(newest);",
    to: "void newest;",
    tests: [`${FAULTS}/lost-log.test.ts`],
  },
  {
    guard: "mark compared with the store",
    file: "src/core/store/sqlite/mark.ts",
    from: "if (newest?.storeId !== marked.storeId || marked.sequence > newest.sequence) return false;",
    to: "",
    tests: [`${FAULTS}/lost-log.test.ts`],
  },
  {
    guard: "mark ignored when torn",
    file: "src/core/store/sqlite/mark.ts",
    from: "sum !== undefined && formatMark(marked) === text",
    to: 'text !== ""',
    tests: [`${FAULTS}/lost-log.test.ts`],
    only: "no alarm",
  },
  {
    guard: "files still in place before a commit is acknowledged",
    file: "src/core/store/store-files.ts",
    from: "if (identity === undefined || identityOf(path) !== identity) return path;",
    to: "",
    tests: [`${FAULTS}/lost-files.test.ts`],
  },
  {
    guard: "no new store where only parts of one are left",
    file: "src/core/store/sqlite/open.ts",
    from: "if (sizeOf(path) === 0 && (marked || sizeOf(`${path}-wal`) > 0)) throw storeMissing(path);",
    to: "",
    tests: [`${FAULTS}/lost-log.test.ts`],
  },
  {
    guard: "no new store in an empty database beside a mark",
    file: "src/core/store/sqlite/open.ts",
    from: "if (isNew && marked) throw storeMissing(path);",
    to: "",
    tests: [`${FAULTS}/lost-log.test.ts`],
  },
  {
    guard: "anchor outside the project",
    file: "src/work/project/anchor.ts",
    from: "if (compare(project)?.isRolledBack) {",
    to: "if (project.folder === '') {",
    tests: [`${FAULTS}/rollback.test.ts`],
    isBuilt: true,
  },
  {
    guard: "a dead disk is not called damage",
    file: "src/core/store/sqlite/sqlite-error.ts",
    from: "code === CORRUPT && !isReadable(path)",
    to: "code === -2",
    tests: [`${FAULTS}/dead-disk.test.ts`],
    isBuilt: true,
  },
];
