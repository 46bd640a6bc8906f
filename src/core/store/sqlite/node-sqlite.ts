import type * as NodeSqlite from "node:sqlite";
import { CheckpointError } from "../../errors.ts";

// Not by an import: in an older Node that fails before anybody can say what is needed.
const builtIn = process.getBuiltinModule?.("node:sqlite") as typeof NodeSqlite | undefined;
if (builtIn === undefined) {
  throw new CheckpointError(
    "missing-dependency",
    `This is Node ${process.versions.node}, which has no SQLite.`,
    { hint: "Use Node 22.22.3 or later in 22, or 24.15 or later." },
  );
}

/** SQLite as Node brings it. */
export const { DatabaseSync, backup } = builtIn;
