import { watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Calls back when the file of a store, or its log, is written to. Where a system cannot watch files, it never does. */
export function watchFile(path: string, onNews: () => void): () => void {
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
      if (name === null || name.startsWith(basename(path))) onNews();
    });
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}
