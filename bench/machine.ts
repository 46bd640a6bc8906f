import { execFileSync } from "node:child_process";
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os";

/** What the numbers were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly memory: string;
  readonly system: string;
  readonly node: string;
  readonly fileSystem: string;
  readonly load: string;
  readonly commit: string;
  readonly date: string;
}

export function describeMachine(fileSystem: string): Machine {
  return {
    cpu: `${availableParallelism()} × ${cpus()[0]?.model ?? arch()}`,
    memory: `${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
    system: `${platform()} ${release()} ${arch()}`,
    node: `${process.version}, SQLite ${process.versions["sqlite"]}, zstd ${process.versions["zstd"]}`,
    fileSystem,
    load: loadavg()
      .map((value) => value.toFixed(1))
      .join(" "),
    commit: currentCommit(),
    date: new Date().toISOString().slice(0, 10),
  };
}

function currentCommit(): string {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "not in a git checkout";
  }
}
