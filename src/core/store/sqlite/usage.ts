import { openDatabase } from "./open.ts";

/** How many checkpoints are looked at in one go, so that a server answers others in between. */
const SLICE = 2000;

/** How much was stored, where and when. */
interface Used {
  readonly checkpoints: number;
  readonly bytes: number;
}

export interface StoreUsage {
  /** The largest first. */
  readonly trails: readonly (Used & { readonly name: string })[];
  /** In order; days without a checkpoint are left out. */
  readonly days: readonly (Used & { readonly day: string })[];
}

interface UsagePlace {
  readonly object: number;
  readonly trail: string;
  readonly day: string;
}

/**
 * What a store holds, by trail and by day. Equal parts are stored once, so an object counts where it was first committed: its row
 * lies between that checkpoint's and the one before it.
 */
export async function usageOf(path: string): Promise<StoreUsage> {
  const connection = await openDatabase({ path, readOnly: true });
  const trails = new Map<string, Used>();
  const days = new Map<string, Used>();
  try {
    for (let last = 0; ;) {
      const places = connection.read(() => placesAfter(connection, last));
      if (places.length === 0) break;
      for (const { object, trail, day } of places) {
        const bytes = connection.read(() => bytesBetween(connection, last, object));
        add(trails, trail, bytes);
        add(days, day, bytes);
        last = object;
      }
      await new Promise(setImmediate);
    }
  } finally {
    await connection.close();
  }
  const listed = [...trails].map(([name, used]) => ({ name, ...used }));
  return {
    trails: listed.toSorted((a, b) => b.bytes - a.bytes),
    days: [...days].map(([day, used]) => ({ day, ...used })).toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  };
}

type UsageConnection = Awaited<ReturnType<typeof openDatabase>>;

function placesAfter(connection: UsageConnection, object: number): UsagePlace[] {
  return connection
    .sql(
      `SELECT object, trails.name AS trail, date(min(created) / 1000.0, 'unixepoch') AS day
       FROM checkpoints JOIN trails ON trails.id = checkpoints.trail
       WHERE object > ? GROUP BY object ORDER BY object LIMIT ${SLICE}`,
    )
    .all(object) as unknown as UsagePlace[];
}

function bytesBetween(connection: UsageConnection, before: number, object: number): number {
  const row = connection
    .sql("SELECT total(length(data)) AS bytes FROM objects WHERE id > ? AND id <= ?")
    .get(before, object) as { bytes: number };
  return row.bytes;
}

function add(to: Map<string, Used>, name: string, bytes: number): void {
  const known = to.get(name) ?? { checkpoints: 0, bytes: 0 };
  to.set(name, { checkpoints: known.checkpoints + 1, bytes: known.bytes + bytes });
}
