import { readSync } from "node:fs";
import type { Readable } from "node:stream";
import type { UnsavedEvent } from "../sessions/event-socket.ts";
import { isTerminal } from "./terminal.ts";

/** After so long a silence in the middle of an event, no more will come. */
const PATIENCE_MS = 2000;
const CHUNK_BYTES = 64 * 1024;

/** The event on stdin. Its name only has to differ from those of other events: loading node:crypto for it takes 5 ms. */
export async function takeEvent(limitBytes: number): Promise<UnsavedEvent> {
  const bytes = await readEvent(limitBytes);
  return { id: `${Date.now()}-${process.pid}-${Math.random().toString(36).slice(2)}`, bytes };
}

/**
 * Reads one JSON document: to its end, whether or not the other side closes then, or until nothing more comes. Of
 * what is longer than `limitBytes` only a chunk more is kept, but all is read: the writer never sees a closed pipe.
 * A terminal holds nothing to read.
 */
async function readEvent(limitBytes: number): Promise<Uint8Array> {
  if (isTerminal(0)) return new Uint8Array();
  const event = new Gathered(limitBytes);
  // What a client sends at once is here by now, and whole: setting up the stream would take 6 ms.
  const first = readFirst();
  if (first !== undefined && (first.length === 0 || event.add(first))) return event.bytes();
  return readStream(process.stdin, event);
}

/** The beginning of what is on stdin; empty at its end, undefined where it would have to be waited for. */
function readFirst(): Uint8Array | undefined {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    return chunk.subarray(0, readSync(0, chunk));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EAGAIN") return undefined;
    // How some systems say that a pipe has ended, and what a closed descriptor is.
    if (code === "EOF" || code === "EBADF") return new Uint8Array();
    throw error;
  }
}

class Gathered {
  readonly #chunks: Uint8Array[] = [];
  readonly #limitBytes: number;
  #size = 0;
  #worthTrying = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
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

async function readStream(stream: Readable, event: Gathered): Promise<Uint8Array> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let timer = setTimeout(resolve, PATIENCE_MS);
  const hear = (chunk: Uint8Array) => {
    clearTimeout(timer);
    if (event.add(chunk)) return resolve();
    timer = setTimeout(resolve, PATIENCE_MS);
  };
  stream.on("data", hear).once("end", resolve).once("error", resolve);
  await promise;
  clearTimeout(timer);
  stream.off("data", hear).pause();
  return event.bytes();
}
