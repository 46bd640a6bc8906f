import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const TAIL_BYTES = 2048;

/** The last line that a running step has printed; empty before it has. */
export function lastLine(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, buffer, 0, buffer.length, size - buffer.length);
    // A line that draws over itself, as progress bars do, shows its newest state.
    const lines = buffer.toString("utf8").split(/[\r\n]+/);
    return lines.findLast((line) => line.trim() !== "") ?? "";
  } catch {
    // It has printed nothing yet, or its folder was cleaned: there is nothing to show.
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
