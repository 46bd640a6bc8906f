import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { endChildren } from "./children.ts";

/** Where the bench works. All of it is gone when the process ends, also after Ctrl-C. */
export interface WorkPlace {
  readonly folder: string;
  readonly fileSystem: string;
  /** A new empty folder on the real disk. */
  newFolder(): string;
  /** A new empty folder in memory where there is one, for stores whose building is not what is measured. */
  newFastFolder(): string;
  remove(folder: string): void;
}

const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0xef53: "ext2/3/4",
  0x58465342: "xfs",
  0x9123683e: "btrfs",
  0x2fc12fc1: "zfs",
  0x794c7630: "overlayfs",
  0x01021994: "tmpfs",
  0x858458f6: "ramfs",
  0x6969: "nfs",
};
const IN_MEMORY = new Set(["tmpfs", "ramfs"]);

export function openWorkPlace(): WorkPlace {
  const parents = [tmpdir(), "/var/tmp", homedir(), process.cwd()];
  const parent = parents.find((path) => isFolder(path) && !IN_MEMORY.has(fileSystemOf(path))) ?? tmpdir();
  const folder = mkdtempSync(join(parent, "cairn-bench-"));
  const fast = isFolder("/dev/shm") ? mkdtempSync("/dev/shm/cairn-bench-") : folder;
  removeAtEnd([folder, fast]);
  return {
    folder,
    fileSystem: fileSystemOf(folder),
    newFolder: () => mkdtempSync(join(folder, "run-")),
    newFastFolder: () => mkdtempSync(join(fast, "run-")),
    remove: (path) => rmSync(path, { recursive: true, force: true }),
  };
}

/** The bytes of all files in a folder, whatever they are called: a WAL that stays behind counts. */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

export function isInMemory(fileSystem: string): boolean {
  return IN_MEMORY.has(fileSystem);
}

function fileSystemOf(path: string): string {
  const { type } = statfsSync(path);
  return FILE_SYSTEMS[type] ?? `type 0x${type.toString(16)}`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function removeAtEnd(folders: readonly string[]): void {
  process.on("exit", () => {
    endChildren();
    for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
  for (const [signal, status] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    process.on(signal, () => process.exit(status));
  }
}
