import type * as Sqlite from "node:sqlite";

import { CheckpointError } from "../../errors.ts";

/** SQLite as Node brings it. Not by an import: in an older Node that fails before anybody can say what is needed. */
export const { DatabaseSync } = builtIn();

function builtIn(): typeof Sqlite {
  const found = process.getBuiltinModule?.("node:sqlite") as typeof Sqlite | undefined;
  if (found !== undefined) return found;
  throw new CheckpointError(
    "missing-dependency",
    `This is Node ${process.versions.node}, which has no SQLite.`,
    {
      hint: "Use Node 22.22.3 or later in 22, or 24.15 or later.",
    },
  );
}
