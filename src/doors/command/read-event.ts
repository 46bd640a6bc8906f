import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Readable } from "node:stream";
import type { UnsavedEvent } from "../../work/terminal/context.ts";
import { isTerminal } from "./terminal.ts";

/** After so long a silence no event will come: a client that sends one does it at once. */
const SILENCE_MS = 2000;
/** After so long a silence in the middle of an event, the rest will not come. On a busy machine it may well take more than two seconds. */
const GAP_MS = 4000;
const POLL_MS = 2;
/** Error codes for the end of a pipe, on some systems, a closed descriptor and a folder. */
const NOTHING_TO_READ: ReadonlySet<string> = new Set(["EOF", "EBADF", "EISDIR"]);
const CHUNK_BYTES = 64 * 1024;

interface EventSource {
  readonly descriptor: number;
  /** The same as a stream: it takes long to load, so it is only asked for when an event comes in pieces. */
  readonly stream: () => Readable;
}

/** The event on stdin. Its name only has to differ from those of other events: loading node:crypto for it takes 5 ms. */
export async function takeEvent(limitBytes: number, withinMs = Infinity): Promise<UnsavedEvent> {
  const event = new Gathered(limitBytes, process.uptime() * 1000 + withinMs);
  const bytes = await readEvent({ descriptor: 0, stream: () => process.stdin }, event);
  return { id: `${Date.now()}-${process.pid}-${Math.random().toString(36).slice(2)}`, bytes };
}

/**
 * Reads one JSON document: to its end, whether or not the other side closes then, or until nothing comes any more. Of
 * what is longer than `limitBytes` only a chunk more is kept, but all is read: the writer never sees a closed pipe.
 * A terminal holds nothing to read.
 */
async function readEvent(source: EventSource, event: Gathered): Promise<Uint8Array> {
  const { descriptor } = source;
  if (isTerminal(descriptor)) return new Uint8Array();
  const pipe = reopened(descriptor);
  if (pipe !== undefined) return readPolling(pipe, event);
  // What a client sends at once is here by now, and whole. Only a socket that never says anything is waited for.
  const first = Buffer.allocUnsafe(CHUNK_BYTES);
  const count = readSome(descriptor, first, event.patienceMs);
  if (count === 0 || event.add(first.subarray(0, count))) return event.bytes();
  if (!fstatSync(descriptor).isFile()) return readStream(source.stream(), event);
  return readPolling(descriptor, event);
}

class Gathered {
  readonly #chunks: Uint8Array[] = [];
  readonly #limitBytes: number;
  readonly #endsAt: number;
  #size = 0;
  #worthTrying = 0;

  /** @param endsAt By the clock of `process.uptime`, in milliseconds. */
  constructor(limitBytes: number, endsAt: number) {
    this.#limitBytes = limitBytes;
    this.#endsAt = endsAt;
  }

  /** How long to wait for more. */
  get patienceMs(): number {
    const left = Math.max(0, this.#endsAt - process.uptime() * 1000);
    return Math.min(this.#size === 0 ? SILENCE_MS : GAP_MS, left);
  }

  /** Returns whether the document is whole now. */
  add(chunk: Uint8Array): boolean {
    if (this.#size <= this.#limitBytes) this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > this.#limitBytes || this.#size < this.#worthTrying || !endsObject(chunk)) return false;
    // Not after every chunk of a long one: that would take ever longer.
    this.#worthTrying = 2 * this.#size;
    return isJson(this.bytes());
  }

  bytes(): Uint8Array {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Uint8Array) : Buffer.concat(this.#chunks);
  }
}

function endsObject(chunk: Uint8Array): boolean {
  let last = chunk.length - 1;
  while (last >= 0 && (chunk[last] as number) <= 0x20) last--;
  return chunk[last] === 0x7d;
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

/** A pipe once more, so that reading it does not wait: where the system can do that, and never for a socket. */
function reopened(descriptor: number): number | undefined {
  try {
    if (!fstatSync(descriptor).isFIFO()) return undefined;
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

function readPolling(descriptor: number, event: Gathered): Uint8Array {
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const patienceMs = event.patienceMs;
      const count = patienceMs === 0 ? 0 : readSome(descriptor, chunk, patienceMs);
      if (count === 0 || event.add(chunk.subarray(0, count))) return event.bytes();
    }
  } finally {
    if (descriptor > 2) closeSync(descriptor);
  }
}

/** How many bytes came; none at the end, after so long a silence, or where nothing can be read, as from a folder. */
function readSome(descriptor: number, chunk: Uint8Array, patienceMs: number): number {
  // Not `performance`, which takes 2 ms to load.
  const deadline = process.uptime() + patienceMs / 1000;
  for (;;) {
    try {
      return readSync(descriptor, chunk);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (NOTHING_TO_READ.has(code)) return 0;
      if (code !== "EAGAIN") throw error;
      if (process.uptime() > deadline) return 0;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    }
  }
}

async function readStream(stream: Readable, event: Gathered): Promise<Uint8Array> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let timer = setTimeout(resolve, event.patienceMs);
  const hear = (chunk: Uint8Array) => {
    clearTimeout(timer);
    if (event.add(chunk)) return resolve();
    timer = setTimeout(resolve, event.patienceMs);
  };
  stream.on("data", hear).once("end", resolve).once("error", resolve);
  await promise;
  clearTimeout(timer);
  stream.off("data", hear).pause();
  return event.bytes();
}
