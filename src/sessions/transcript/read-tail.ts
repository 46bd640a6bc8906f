import { isAbsolute } from "node:path";
import { readBounded } from "../../capture/files/read-bounded.ts";

/** The last whole lines of a transcript, oldest first; none if it cannot be read. Never throws. */
export function readTail(path: string | undefined, bytes: number): string[] {
  if (path === undefined || !isAbsolute(path)) return [];
  const tail = readBounded(path, bytes, "end").bytes?.toString("utf8") ?? "";
  const lines = tail.split("\n");
  // The first line may have been cut, the last one may still be written.
  return (Buffer.byteLength(tail) < bytes ? lines : lines.slice(1)).slice(0, -1);
}
