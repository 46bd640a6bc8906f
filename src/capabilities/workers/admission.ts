import { formatDuration } from "../../core/text/duration.ts";
import type { Database, Query } from "../postgres/store/database.ts";
import type { Run } from "../workflow/run/run-state.ts";

/** Whether a run may go on now; else after how many seconds it may ask again. Runs without a limit cost nothing. */
export async function admit(
  database: Database,
  { id, limit }: Run,
): Promise<"admitted" | { readonly afterSeconds: number }> {
  if (limit === undefined) return "admitted";
  const { key, at_once = null, starts = null, window_ms = 0 } = limit;
  const [row] = await database.patiently(() =>
    database.write<{ seconds: number | null }>("SELECT @admit($1, $2, $3, $4, $5) AS seconds", [
      id,
      key,
      at_once,
      starts,
      window_ms / 1000,
    ]),
  );
  const seconds = row?.seconds ?? null;
  return seconds === null ? "admitted" : { afterSeconds: seconds };
}

/** A run that stands still makes room, in the transaction in which it is left. Resolves to the run whose turn it is then. */
export async function release(query: Query, { id }: Run): Promise<string | undefined> {
  const [row] = await query<{ next: string | null }>("SELECT @release($1) AS next", [id]);
  return row?.next ?? undefined;
}

/** What a run with a limit tells while others are under way. */
export function waitsFor({ limit }: Run): string {
  const { key, at_once, starts, window_ms = 0 } = limit!;
  const parts = [
    ...(at_once === undefined ? [] : [`${at_once} at once`]),
    ...(starts === undefined ? [] : [`${starts} in ${formatDuration(window_ms)}`]),
  ];
  return `its turn: "${key}" is limited to ${parts.join(" and ")}`;
}
