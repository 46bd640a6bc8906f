import { fstatSync, statSync, writeSync } from "node:fs";

/**
 * Writes all of a text to a file descriptor before it returns. Not `process.stdout`, which takes four
 * milliseconds to set up and may lose what is still queued when the process ends.
 */
export function writeFully(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) {
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

/** Whether a descriptor is a terminal. The module that knows takes long to load, so what is none is told before. */
export function isTerminal(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return (
      found.isCharacterDevice() && !isNull(found) && process.getBuiltinModule("node:tty").isatty(descriptor)
    );
  } catch {
    return false;
  }
}

/** Programs that start others often give them this for a terminal. */
function isNull({ rdev }: { readonly rdev: number }): boolean {
  return statSync("/dev/null", { throwIfNoEntry: false })?.rdev === rdev;
}

/** The width of the terminal on stdout. */
export function terminalColumns(): number {
  const columns = process.stdout.columns;
  return columns > 0 ? columns : 80;
}
