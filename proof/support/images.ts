import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** A file system inside a file, which can be copied in an instant while it is in use. */
export interface LiveDisk {
  readonly kind: FileSystem;
  /** Where it is mounted. */
  readonly folder: string;
  /** The disk as a power cut at this moment would leave it: mounted at another place, until it is released. */
  cutPower(): Cut;
  remove(): void;
}

interface Cut {
  readonly folder: string;
  release(): void;
}

export type FileSystem = "ext4" | "xfs" | "btrfs";

const MAKE: Readonly<Record<FileSystem, { readonly size: string; readonly command: readonly string[] }>> = {
  ext4: { size: "256M", command: ["mkfs.ext4", "-q", "-F"] },
  xfs: { size: "320M", command: ["mkfs.xfs", "-q", "-f"] },
  btrfs: { size: "320M", command: ["mkfs.btrfs", "-q", "-f"] },
};

/** Why no disk can be copied while it is in use here, or undefined if it can. */
export function whyNoLiveDisks(): string | undefined {
  if (process.platform !== "linux" || process.geteuid?.() !== 0)
    return "mounting images needs Linux and root";
  for (const tool of ["mkfs.ext4", "mkfs.xfs", "mkfs.btrfs", "mount"])
    if (spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0) return `there is no ${tool}`;
  return undefined;
}

/** A disk that holds the images of others: on XFS, where a copy of a file shares its blocks and is taken at one moment. */
export function makeHolder(folder: string): { folder: string; remove(): void } {
  const image = join(folder, "holder.img");
  const mounted = join(folder, "holder");
  mkdirSync(mounted);
  run("truncate", "-s", "24G", image);
  run("mkfs.xfs", "-q", "-f", "-m", "reflink=1", image);
  run("mount", "-o", "loop", image, mounted);
  // When the proof is interrupted, whatever is mounted goes as soon as nobody uses it.
  const leave = () => {
    spawnSync("sh", [
      "-c",
      'for at in "$0"/*/ "$0"; do umount -l "$at" 2>/dev/null; done; rm -f "$1"',
      mounted,
      image,
    ]);
  };
  process.once("exit", leave);
  return {
    folder: mounted,
    remove: () => {
      process.off("exit", leave);
      unmount(mounted);
      run("rm", "-f", image);
    },
  };
}

export function makeLiveDisk(holder: string, kind: FileSystem, name: string): LiveDisk {
  const image = join(holder, `${name}.img`);
  const [folder, cutFolder] = [join(holder, name), join(holder, `${name}-cut`)];
  mkdirSync(folder);
  mkdirSync(cutFolder);
  const { size, command } = MAKE[kind];
  run("truncate", "-s", size, image);
  run(...(command as [string, ...string[]]), image);
  run("mount", "-o", "loop", image, folder);
  const copy = join(holder, `${name}-cut.img`);
  return {
    kind,
    folder,
    cutPower: () => {
      run("cp", "--reflink=always", image, copy);
      // Two XFS of the same id cannot be mounted at once without a word about it.
      run("mount", "-o", kind === "xfs" ? "loop,nouuid" : "loop", copy, cutFolder);
      return {
        folder: cutFolder,
        release: () => {
          unmount(cutFolder);
          run("rm", "-f", copy);
        },
      };
    },
    remove: () => {
      unmount(folder);
      run("rm", "-f", image);
    },
  };
}

function unmount(folder: string): void {
  // A process that just ended may hold it for a moment.
  for (let tries = 0; tries < 50; tries++) {
    if (spawnSync("umount", [folder]).status === 0) return;
    spawnSync("sleep", ["0.1"]);
  }
  // Something still looks at it: it goes once that has ended.
  run("umount", "--lazy", folder);
}

function run(command: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${(error?.message ?? stderr).trim()}`);
}
