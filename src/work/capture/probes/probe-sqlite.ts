import { readBounded } from "../../machine/read-bounded.ts";
import type { FileEndpoint } from "./endpoint.ts";
import { AVAILABLE, degraded, unavailable, type Verdict } from "./verdict.ts";

const MAGIC = "SQLite format 3\0";

/** Reads only the first bytes of the file: opening a database could create files beside it. */
export function probeSqlite({ file }: FileEndpoint): Verdict {
  const { bytes, problem } = readBounded(file, MAGIC.length, "cut");
  if (bytes === undefined) return unavailable(problem);
  // A database that nothing was written to yet.
  if (bytes.length === 0) return { status: "available", reason: "the file is empty" };
  return bytes.toString("latin1") === MAGIC ? AVAILABLE : degraded("it is not a SQLite database");
}
