import { dirname } from "node:path";
import { integer, type Random } from "../../tests/faults/support/random.ts";
import type { Operation } from "./recording.ts";

type Change = Extract<Operation, { kind: "write" | "cut" }>;

/** What a file holds, whatever it is called. */
interface Content {
  /** What a crash cannot take any more. */
  durable: Buffer;
  /** Changes since the last sync, in order: each may have reached the disk or not. */
  pending: readonly Change[];
}

const FOLDER: Content = { durable: Buffer.alloc(0), pending: [] };

/** What became of names, and the folder whose sync makes that durable. A rename is both at once. */
interface NameChange {
  readonly folder: string;
  readonly removed?: string;
  readonly added?: readonly [name: string, content: Content];
}

export type Files = ReadonlyMap<string, Buffer>;

const SECTOR = 512;

/**
 * A disk that keeps only what was synced, after a recording. It says which files a crash at this moment could leave: any
 * of the unsynced changes of contents and of names may be there or not, in any order, and each write may be torn between
 * two sectors. A file is there if its name is, and those of all folders that it is in.
 */
export class CrashDisk {
  /** As the program sees it. */
  readonly #live = new Map<string, Content>();
  /** The names that a crash cannot take any more. */
  readonly #named = new Map<string, Content>();
  #names: NameChange[] = [];

  do(operation: Operation): void {
    if (operation.kind === "say") return;
    const { file } = operation;
    if (operation.kind === "sync") return this.#sync(file);
    if (operation.kind === "make-folder") return this.#rename({ added: [file, FOLDER] });
    if (operation.kind === "remove") return this.#rename({ removed: file });
    const content = this.#contentOf(file);
    if (operation.kind === "rename") this.#rename({ removed: file, added: [operation.to, content] });
    else if (operation.kind === "link") this.#rename({ added: [operation.to, content] });
    else if (operation.kind === "write" || operation.kind === "cut")
      content.pending = [...content.pending, operation];
  }

  #contentOf(file: string): Content {
    const content = this.#live.get(file) ?? { durable: Buffer.alloc(0), pending: [] };
    if (!this.#live.has(file)) this.#rename({ added: [file, content] });
    return content;
  }

  #rename(change: Omit<NameChange, "folder">): void {
    const name = change.added?.[0] ?? change.removed ?? "";
    applyName(this.#live, change);
    this.#names.push({ ...change, folder: folderOf(name) });
  }

  #sync(file: string): void {
    const content = this.#live.get(file);
    if (content !== undefined && content !== FOLDER) {
      content.durable = apply(content.durable, content.pending);
      content.pending = [];
      return;
    }
    for (const change of this.#names) if (change.folder === file) applyName(this.#named, change);
    this.#names = this.#names.filter(({ folder }) => folder !== file);
  }

  /** States that a crash could leave, the plain ones first and then chosen ones. The same may come twice. */
  *states(random: Random, chosen: number): Generator<Files> {
    const [all, nothing] = [() => true, () => false];
    yield this.#state(all, all);
    yield this.#state(nothing, nothing);
    const changes = [...new Set([...this.#live.values(), ...this.#named.values()])].flatMap(
      ({ pending }) => pending,
    );
    for (const [index, one] of changes.entries()) {
      yield this.#state((change) => change !== one, all);
      yield this.#state((change) => change === one, all);
      yield this.#state((change) => changes.indexOf(change) < index, nothing);
    }
    // A name may be there before the content that it was given to.
    if (changes.length > 0) yield this.#state(nothing, all);
    for (const one of this.#names) {
      yield this.#state(all, (change) => change !== one);
      yield this.#state(all, (change) => change === one);
    }
    for (let count = 0; changes.length + this.#names.length > 0 && count < chosen; count++) {
      const kept = new Set<unknown>([...changes, ...this.#names].filter(() => random() < 0.5));
      const torn = changes[integer(random, 0, Math.max(0, changes.length - 1))];
      const half = random() < 0.5 ? "front" : "back";
      yield this.#state(
        (change) => (change === torn ? half : kept.has(change)),
        (change) => kept.has(change),
      );
    }
  }

  #state(
    keeps: (change: Change) => boolean | "front" | "back",
    keepsName: (change: NameChange) => boolean,
  ): Files {
    const names = new Map(this.#named);
    for (const change of this.#names) if (keepsName(change)) applyName(names, change);
    const isThere = (name: string): boolean => name === "" || (names.has(name) && isThere(folderOf(name)));
    const files = new Map<string, Buffer>();
    for (const [name, content] of [...names].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      if (content === FOLDER || !isThere(name)) continue;
      const kept = content.pending.flatMap((change) => {
        const keep = keeps(change);
        return keep === true ? [change] : keep === false ? [] : tear(change, keep);
      });
      files.set(name, apply(content.durable, kept));
    }
    return files;
  }
}

/** The recorded folder itself has no name. */
const folderOf = (name: string) => dirname(name).replace(/^\.$/, "");

function applyName(names: Map<string, Content>, { removed, added }: Omit<NameChange, "folder">): void {
  if (removed !== undefined) names.delete(removed);
  if (added !== undefined) names.set(...added);
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
