import { fstatSync, statSync, writeSync } from "node:fs";
import type { Terminal } from "../../work/terminal/context.ts";

/**
 * Writes all of a text to a file descriptor before it returns. Not `process.stdout`, which takes four
 * milliseconds to set up and may lose what is still queued when the process ends.
 */
export function writeFully(descriptor: number, text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A pipe that the other side made non-blocking is full: it needs a moment to read.
      if (code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      // The reader is gone, as in `checkpoint list | head -1`.
      else if (code === "EPIPE") return;
      else throw error;
    }
  }
}

/** Whether a descriptor is a terminal. Loading node:tty is slow, so rule out non-terminals first. */
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

/** /dev/null is a character device too, and often the stdin of a child process. */
function isNull({ rdev }: { readonly rdev: number }): boolean {
  return statSync("/dev/null", { throwIfNoEntry: false })?.rdev === rdev;
}

/** The width of the terminal on stdout. */
export function terminalColumns(): number {
  const columns = process.stdout.columns;
  return columns > 0 ? columns : 80;
}

/** The terminal as commands see it. `interrupt` is what Ctrl-C does: while keys are read, the system does not do it. */
export function watchedTerminal(interrupt: () => void): Terminal {
  return {
    size: () => {
      const { columns, rows } = process.stderr;
      return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
    },
    readKeys: (onKeys) => readKeys(onKeys, interrupt),
    atEnd: (tidy) => {
      if (tidies.size === 0) process.on("exit", tidyUp);
      tidies.add(tidy);
      return () => void tidies.delete(tidy);
    },
  };
}

const tidies = new Set<() => void>();

/** Restores the terminal. Call it before the last message, because drawing starts at the cursor. */
export function tidyUp(): void {
  for (const tidy of tidies) tidy();
  tidies.clear();
}

const CTRL_C = "\u{3}";
const CTRL_D = "\u{4}";

function readKeys(onKeys: (keys: string) => void, interrupt: () => void): () => void {
  const { stdin } = process;
  const hear = (chunk: Buffer) => {
    const keys = chunk.toString("utf8");
    if (keys.includes(CTRL_C)) interrupt();
    else onKeys(keys);
  };
  const close = () => onKeys(CTRL_D);
  const calm = () => stdin.setRawMode?.(false);
  stdin.setRawMode?.(true);
  process.on("exit", calm);
  stdin.on("data", hear).on("end", close).resume();
  return () => {
    stdin.off("data", hear).off("end", close).pause();
    process.off("exit", calm);
    calm();
  };
}

/** Whether the terminal shows more than ASCII, as far as the locale says. Without one it is taken for granted. */
export function isUtf8({ LC_ALL, LC_CTYPE, LANG }: Readonly<Record<string, string | undefined>>): boolean {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== "");
  return locale === undefined || !/^(?:C|POSIX)$/.test(locale);
}
