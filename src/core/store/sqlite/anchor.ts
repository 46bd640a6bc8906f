import { dirname } from "node:path";
import type { DatabaseSync as Database } from "node:sqlite";

import { assertOwn, refuseLinkedStore } from "../private-files.ts";
import { agrees, formatMark, Mark, parseMark } from "./mark.ts";
import { DatabaseSync } from "./node-sqlite.ts";

export interface Anchored {
  /** The last commit of the store, as a line to keep outside of it. */
  readonly newest: string;
  /** Whether the store lacks the commit that was kept: an older copy, or another store, took its place. */
  readonly isRolledBack: boolean;
}

/**
 * Compares a store with what it was known to hold. Nothing inside a store can show that the whole folder was replaced by
 * an older copy, so its last commit is kept elsewhere. Undefined where the store cannot be read, or belongs to another
 * user: even a reader writes beside a store.
 */
export function compareWithAnchor(path: string, known: string | undefined): Anchored | undefined {
  let database: Database | undefined;
  try {
    assertOwn(dirname(path));
    refuseLinkedStore(path);
    database = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
    const open = database;
    const asked = { sql: (text: string) => open.prepare(text) };
    const newest = formatMark(new Mark(path).newest(asked));
    const marked = parseMark(known ?? "");
    return { newest, isRolledBack: marked !== undefined && !agrees(asked, marked, parseMark(newest)) };
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}
