import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One call of the operating system that changes something of the store: the ordinal-th of its name. */
export interface Point {
  readonly name: string;
  readonly ordinal: number;
  readonly file: string;
}

/** Everything by which SQLite or Node change a file or a folder. */
const CHANGING = "mkdir,openat,chmod,fchmod,write,pwrite64,ftruncate,fallocate,fsync,fdatasync,rename,unlink";

const FILES = ["", "store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal"];

/** Why faults cannot be injected here, or undefined if they can. */
export const whyNoStrace: string | undefined = probe();

/** Records into `log` what a program does to a store. Only its main thread, where SQLite runs, so the order never varies. */
export function recording(log: string, store: string): string[] {
  const paths = FILES.flatMap((file) => ["-P", join(store, file)]);
  return ["strace", "-qq", "-y", "-s", "0", "-o", log, ...paths, "-e", `trace=${CHANGING}`];
}

export interface Fault {
  /** `signal=KILL` strikes before the call is made, `error=EIO` instead of it. */
  readonly kind: string;
  /** From this point on every call of that name fails, not only this one. */
  readonly isForever?: boolean;
}

/** A recording with a fault at one point. */
export function injecting(log: string, store: string, point: Point, { kind, isForever }: Fault): string[] {
  const when = `${point.ordinal}${isForever ? "+" : ""}`;
  return [...recording(log, store), "-e", `inject=${point.name}:${kind}:when=${when}`];
}

/** The calls in a recording, numbered by name, as strace numbers them. */
export function pointsOf(log: string): Point[] {
  const counts = new Map<string, number>();
  return linesOf(log).flatMap((line) => {
    const name = /^(\w+)\(/.exec(line)?.[1];
    if (name === undefined) return [];
    const ordinal = (counts.get(name) ?? 0) + 1;
    counts.set(name, ordinal);
    const isOpenToRead = name === "openat" && !line.includes("O_CREAT");
    return isOpenToRead
      ? []
      : [{ name, ordinal, file: /store\.sqlite[-\w]*/.exec(line)?.[0] ?? "the folder" }];
  });
}

/** Whether the fault struck where it was meant to. A run without its fault proves nothing. */
export function hasStruck(log: string, { name, ordinal }: Point): boolean {
  const lines = linesOf(log);
  const struck = lines.filter((line) => line.startsWith(`${name}(`))[ordinal - 1];
  if (struck === undefined) return false;
  return (
    struck.includes("(INJECTED)") || (lines.at(-2) === struck && lines.at(-1) === "+++ killed by SIGKILL +++")
  );
}

/** About `count` points, and at least one of each call on each file; those that are alike are spread over the whole work. */
export function sample(points: readonly Point[], count: number): Point[] {
  const share = Math.min(1, count / points.length);
  const kinds = Map.groupBy(points, ({ name, file }) => `${name} ${file}`);
  return [...kinds.values()].flatMap((alike) => {
    const wanted = Math.ceil(alike.length * share);
    return Array.from(
      { length: wanted },
      (_, at) => alike[Math.floor((at * alike.length) / wanted)] as Point,
    );
  });
}

function linesOf(log: string): string[] {
  return readFileSync(log, "utf8").trimEnd().split("\n");
}

function probe(): string | undefined {
  const [command = "", ...args] = recording("/dev/null", "/nowhere");
  const isThere = process.platform === "linux" && spawnSync(command, [...args, "true"]).status === 0;
  return isThere ? undefined : "there is no working strace (apt-get install strace)";
}
