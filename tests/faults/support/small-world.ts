import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Starts a program in a world of its own, where `folder` is a disk of this size in memory. The disk is gone
 * with the program, whatever happens. Needs root, or a kernel that lets users have namespaces.
 */
export function onSmallDisk(folder: string, size: string): string[] {
  const script = `mount -t tmpfs -o size=${size},mode=700 tmpfs "$0" && exec "$@"`;
  return ["unshare", "--map-root-user", "--mount", "sh", "-c", script, folder];
}

/** Why there are no such worlds here, or undefined if there are. */
export const whyNoSmallDisk: string | undefined = probe();

function probe(): string | undefined {
  if (process.platform !== "linux") return "only Linux has namespaces";
  const folder = mkdtempSync(join(tmpdir(), "cairn-probe-"));
  const [command = "", ...args] = onSmallDisk(folder, "64k");
  const { status, stderr, error } = spawnSync(command, [...args, "true"], { encoding: "utf8" });
  rmdirSync(folder);
  return status === 0
    ? undefined
    : `a disk cannot be mounted (${(error?.message ?? stderr).trim()}); run it as root`;
}
