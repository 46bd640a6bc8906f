import { readFileSync } from "node:fs";

/** The content of a system file, such as those in /proc; undefined if there is none. */
export function readSystemFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** The id of the machine's current boot; empty where the system has none. */
export function currentBoot(): string {
  return readSystemFile("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
}
