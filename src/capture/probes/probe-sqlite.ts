import { open, type FileHandle } from "node:fs/promises";
import { constants } from "node:fs";
import type { FileEndpoint } from "./endpoint.ts";
import { errorCode } from "../files/read-bounded.ts";
import { AVAILABLE, degraded, unavailable, type Verdict } from "./verdict.ts";

const MAGIC = "SQLite format 3\0";

/** Reads only the first bytes of the file: opening a database could create files beside it. */
export async function probeSqlite({ file }: FileEndpoint, timeoutMs: number): Promise<Verdict> {
  const { promise, resolve } = Promise.withResolvers<Verdict>();
  // A network file system may never answer.
  const timer = setTimeout(() => resolve(unavailable(`no answer within ${timeoutMs} ms`)), timeoutMs);
  look(file).then(resolve, (error: unknown) => resolve(failureOf(error)));
  const verdict = await promise;
  clearTimeout(timer);
  return verdict;
}

async function look(path: string): Promise<Verdict> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return await verdictOn(file);
  } finally {
    await file.close();
  }
}

async function verdictOn(file: FileHandle): Promise<Verdict> {
  const stats = await file.stat();
  if (!stats.isFile()) return unavailable("it is not a regular file");
  // A database that nothing was written to yet.
  if (stats.size === 0) return { status: "available", reason: "the file is empty" };
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
  return buffer.toString("latin1", 0, bytesRead) === MAGIC
    ? AVAILABLE
    : degraded("it is not a SQLite database");
}

function failureOf(error: unknown): Verdict {
  const code = errorCode(error) ?? "unknown error";
  if (code === "ENOENT" || code === "ENOTDIR") return unavailable("there is no such file");
  if (code === "EACCES" || code === "EPERM") return unavailable("it may not be read");
  return unavailable(`it cannot be read (${code})`);
}
