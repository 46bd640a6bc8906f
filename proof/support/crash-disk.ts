import { integer, type Random } from "../../tests/faults/support/random.ts";
import type { Operation } from "./recording.ts";

type Change = Extract<Operation, { kind: "write" | "cut" }>;

interface SimulatedFile {
  /** What a crash cannot take any more. */
  readonly durable: Buffer;
  /** Changes since the last sync, in order: each may have reached the disk or not. */
  readonly pending: readonly Change[];
  /** Whether its name is safe: then it is there after a crash, else it may be. */
  readonly isNamed: boolean;
  /** It was removed, but the folder was not synced since. */
  readonly isRemoved: boolean;
}

export type Files = ReadonlyMap<string, Buffer>;

const SECTOR = 512;

/**
 * A disk that keeps only what was synced, after a recording. It says which files a crash at this moment could leave: any
 * of the unsynced changes may be there or not, in any order, and each may be torn between two sectors.
 */
export class CrashDisk {
  readonly #files = new Map<string, SimulatedFile>();

  do(operation: Operation): void {
    if (operation.kind === "say") return;
    const { file } = operation;
    if (operation.kind === "sync") return this.#sync(file);
    const found = this.#files.get(file) ?? {
      durable: Buffer.alloc(0),
      pending: [],
      isNamed: false,
      isRemoved: false,
    };
    if (operation.kind === "write" || operation.kind === "cut")
      this.#files.set(file, { ...found, pending: [...found.pending, operation] });
    else this.#files.set(file, { ...found, isRemoved: operation.kind === "remove" });
  }

  #sync(file: string): void {
    if (file === "") {
      for (const [name, each] of this.#files)
        if (each.isRemoved) this.#files.delete(name);
        else this.#files.set(name, { ...each, isNamed: true });
      return;
    }
    const found = this.#files.get(file);
    if (found) this.#files.set(file, { ...found, durable: apply(found.durable, found.pending), pending: [] });
  }

  /** States that a crash could leave, the plain ones first and then chosen ones. The same may come twice. */
  *states(random: Random, chosen: number): Generator<Files> {
    yield this.#state(() => true, true);
    yield this.#state(() => false, false);
    const changes = [...this.#files.values()].flatMap(({ pending }) => pending);
    for (const one of changes) {
      yield this.#state((change) => change !== one, true);
      yield this.#state((change) => change === one, true);
      const before = changes.indexOf(one);
      yield this.#state((change) => changes.indexOf(change) < before, false);
    }
    for (let count = 0; changes.length > 0 && count < chosen; count++) {
      const kept = new Set(changes.filter(() => random() < 0.5));
      const torn = changes[integer(random, 0, changes.length - 1)];
      const half = random() < 0.5 ? "front" : "back";
      yield this.#state((change) => (change === torn ? half : kept.has(change)), random() < 0.5);
    }
  }

  /** @param namesKept Whether files whose name was not synced are there, and removed ones are gone. */
  #state(keeps: (change: Change) => boolean | "front" | "back", namesKept: boolean): Files {
    const files = new Map<string, Buffer>();
    for (const [name, { durable, pending, isNamed, isRemoved }] of this.#files) {
      if (isRemoved ? namesKept : !isNamed && !namesKept) continue;
      const kept = pending.flatMap((change) => {
        const keep = keeps(change);
        return keep === true ? [change] : keep === false ? [] : tear(change, keep);
      });
      files.set(name, apply(durable, kept));
    }
    return files;
  }
}

function tear(change: Change, half: "front" | "back"): Change[] {
  if (change.kind === "cut" || change.bytes.length <= SECTOR) return [];
  const middle = Math.floor(change.bytes.length / 2 / SECTOR) * SECTOR || SECTOR;
  if (half === "front") return [{ ...change, bytes: change.bytes.subarray(0, middle) }];
  return [{ ...change, at: change.at + middle, bytes: change.bytes.subarray(middle) }];
}

function apply(bytes: Buffer, changes: readonly Change[]): Buffer {
  const ends = changes.map((change) =>
    change.kind === "cut" ? change.length : change.at + change.bytes.length,
  );
  const room = Buffer.alloc(Math.max(bytes.length, ...ends));
  bytes.copy(room);
  let length = bytes.length;
  for (const change of changes) {
    if (change.kind === "cut") {
      // What is cut off is zero when the file grows again.
      if (change.length < length) room.fill(0, change.length, length);
      length = change.length;
    } else {
      change.bytes.copy(room, change.at);
      length = Math.max(length, change.at + change.bytes.length);
    }
  }
  return room.subarray(0, length);
}
