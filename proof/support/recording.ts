import { readFileSync } from "node:fs";

/** What a program did to the files of a folder, and what it said meanwhile. */
export type Operation =
  | { readonly kind: "write"; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: "cut"; readonly file: string; readonly length: number }
  | { readonly kind: "create" | "remove" | "sync" | "make-folder"; readonly file: string }
  | { readonly kind: "rename" | "link"; readonly file: string; readonly to: string }
  | { readonly kind: "say"; readonly message: unknown };

const CALLS = "openat,write,pwrite64,ftruncate,fsync,fdatasync,unlink,rename,link,mkdir";

/** strace and its options, to record everything that the main thread does, with all bytes. */
export function recordingOf(log: string): string[] {
  return ["strace", "-qq", "-y", "-xx", "-s", "10000000", "-o", log, "-e", `trace=${CALLS}`];
}

/** Reads a recording. Files are named relative to the recorded folder, which itself is "". */
export function readRecording(log: string, folder: string): Operation[] {
  // How far each file was written by `write`, which tells no position.
  const created = new Map<string, number>();
  return readFileSync(log, "latin1")
    .split("\n")
    .flatMap((line) => operationOf(line, folder, created));
}

function operationOf(line: string, folder: string, created: Map<string, number>): Operation[] {
  const [, name = "", rest = ""] = /^(\w+)\((.*)$/.exec(line) ?? [];
  if (/ = -1 /.test(line)) return [];
  const path = /^\d+<([^>]*)>/.exec(rest)?.[1];
  const file = path === undefined ? undefined : below(unhex(path).toString(), folder);
  const strings = [...rest.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, text = ""]) => unhex(text));
  if (name === "write" && rest.startsWith("1<")) return said(strings[0]);
  if (name === "openat") {
    const opened = below(strings[0]?.toString() ?? "", folder);
    if (opened === undefined || !rest.includes("O_CREAT") || created.has(opened)) return [];
    created.set(opened, 0);
    return [{ kind: "create", file: opened }];
  }
  if (name === "rename" || name === "link" || name === "mkdir") {
    const [from, to] = strings.map((path) => below(path.toString(), folder));
    if (from === undefined) return [];
    if (name === "mkdir") return [{ kind: "make-folder", file: from }];
    if (to === undefined) throw new Error(`A file leaves the folder that is recorded: ${line.slice(0, 200)}`);
    if (name === "rename") created.delete(from);
    created.delete(to);
    return [{ kind: name, file: from, to }];
  }
  if (name === "unlink") {
    const removed = below(strings[0]?.toString() ?? "", folder);
    if (removed === undefined) return [];
    created.delete(removed);
    return [{ kind: "remove", file: removed }];
  }
  if (file === undefined) return [];
  if (name === "fsync" || name === "fdatasync") return [{ kind: "sync", file }];
  const numbers = /, (\d+)(?:, (\d+))?\) += \d+$/.exec(rest);
  if (name === "ftruncate") return [{ kind: "cut", file, length: Number(numbers?.[1]) }];
  if (name === "pwrite64")
    return [{ kind: "write", file, at: Number(numbers?.[2]), bytes: strings[0] ?? Buffer.alloc(0) }];
  if (name === "write" && created.has(file)) {
    const at = created.get(file) ?? 0;
    const bytes = strings[0] ?? Buffer.alloc(0);
    created.set(file, at + bytes.length);
    return [{ kind: "write", file, at, bytes }];
  }
  throw new Error(`A recording has a call that is not understood: ${line.slice(0, 200)}`);
}

function said(bytes: Buffer | undefined): Operation[] {
  const text = bytes?.toString("utf8") ?? "";
  return text.startsWith("{") ? [{ kind: "say", message: JSON.parse(text) as unknown }] : [];
}

function below(path: string, folder: string): string | undefined {
  if (path === folder) return "";
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

function unhex(text: string): Buffer {
  return text.startsWith("\\x") ? Buffer.from(text.replaceAll("\\x", ""), "hex") : Buffer.from(text);
}
