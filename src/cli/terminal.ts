import { fstatSync, writeSync } from "node:fs";

/**
 * Writes all of a text to a file descriptor before it returns. Not `process.stdout`, which takes four
 * milliseconds to set up and may lose what is still queued when the process ends.
 */
export function writeFully(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A pipe that the other side made non-blocking is full: it needs a moment to read.
      if (code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      // Nobody reads any more, as in `checkpoint list | head -1`.
      else if (code === "EPIPE") return;
      else throw error;
    }
  }
}

/** Whether a descriptor is a terminal. The module that knows is loaded only for what could be one. */
export function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(descriptor);
  } catch {
    return false;
  }
}

/** The width of the terminal on stdout. */
export function terminalColumns(): number {
  const columns = process.stdout.columns;
  return columns > 0 ? columns : 80;
}
