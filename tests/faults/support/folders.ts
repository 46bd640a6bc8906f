import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Makes empty folders that are gone after the tests of the file. */
export function useFolders(): { onDisk: () => string; inMemory: () => string } {
  const made: string[] = [];
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });
  const below = (parent: string) => {
    const folder = mkdtempSync(join(parent, "cairn-faults-"));
    made.push(folder);
    return folder;
  };
  return {
    onDisk: () => below(tmpdir()),
    // For stores that are opened thousands of times, where waiting for a disk proves nothing.
    inMemory: () => below(existsSync("/dev/shm") ? "/dev/shm" : tmpdir()),
  };
}
