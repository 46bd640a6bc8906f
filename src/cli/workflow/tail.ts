import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join } from "node:path";

const TAIL_BYTES = 2048;

/** The last line that a running step has printed, wherever it printed it; empty before it has. */
export function lastLine(stdout: string): string {
  const ends = [stdout, join(dirname(stdout), "stderr")].map(readEnd);
  const [newest] = ends.filter(({ text }) => text !== "").toSorted((a, b) => b.changedMs - a.changedMs);
  return newest?.text ?? "";
}

function readEnd(path: string): { readonly text: string; readonly changedMs: number } {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { size, mtimeMs } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, buffer, 0, buffer.length, size - buffer.length);
    // A line that draws over itself, as progress bars do, shows its newest state.
    const lines = buffer.toString("utf8").split(/[\r\n]+/);
    return { text: lines.findLast((line) => line.trim() !== "") ?? "", changedMs: mtimeMs };
  } catch {
    // It has printed nothing yet, or its folder was cleaned: there is nothing to show.
    return { text: "", changedMs: 0 };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
