import { readFileSync } from "node:fs";

/** What a file of the system says, as those in /proc; undefined where there is none. */
export function readSystemFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Which boot of the machine this is; empty where the system does not tell. */
export function currentBoot(): string {
  return readSystemFile("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
}
