/**
 * A place outside this machine that keeps named bytes: a bucket, a folder on another disk.
 *
 * Two kinds of names live in it. Most are written once and never change: their name is a hash of what they hold. A few
 * (heads, the repack epoch) move, and only by compare-and-swap. A remote is done when `testRemote` of
 * "cairn-checkpoint/testing" passes.
 */
export interface Remote {
  /** Where it is, for messages. Never holds credentials. */
  readonly label: string;

  /** All names that begin with `prefix`, in no order. */
  list(prefix: string): Promise<string[]>;

  /** What is kept under a name, or undefined. */
  get(name: string): Promise<VersionedBytes | undefined>;

  /** Keeps bytes under a name that says what they are. Resolves once they are durable. May be repeated. */
  put(name: string, bytes: Uint8Array): Promise<void>;

  /**
   * Replaces what is kept under a name if it still has the version `from` (undefined: if there is nothing), and resolves
   * to the new version. Resolves to undefined if somebody else was quicker: then nothing was changed. When an answer is
   * lost it looks again, so that a swap that happened is never reported as lost.
   */
  compareAndSwap(name: string, bytes: Uint8Array, from: Version | undefined): Promise<Version | undefined>;

  /** Deletes a name. One that is not there is no error. */
  remove(name: string): Promise<void>;
}

/** What tells one content of a name from the next: an ETag, a number. Only its remote understands it. */
export type Version = string & { readonly __brand: "Version" };

const MIB = 1024 * 1024;

/** Nothing of ours is larger under this name. A hostile remote must not fill the memory. */
export const mostBytesOf = (name: string) => (name.startsWith("packs/") ? 640 * MIB : 64 * MIB);

/** What is kept under a name, and what a compare-and-swap must name to replace it. */
export interface VersionedBytes {
  readonly bytes: Uint8Array;
  readonly version: Version;
}
