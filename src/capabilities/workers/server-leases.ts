import { createHash, randomUUID } from "node:crypto";
import { statSync } from "node:fs";

import { currentBoot } from "../../work/machine/system-file.ts";
import type { Database } from "../postgres/store/database.ts";
import type { RunLeases, WorkflowContext } from "../workflow/context.ts";
import { fileLeases } from "../workflow/runner/run-lease.ts";

/** A runner that could not renew its lease for this long may be replaced from another machine. */
const LEASE_SECONDS = 30;

const TAKE = `
  INSERT INTO @leases(run, epoch, holder, machine, expires)
  VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
  ON CONFLICT (run, epoch) DO UPDATE
    SET holder = excluded.holder, machine = excluded.machine, expires = excluded.expires
    WHERE leases.expires < now() OR leases.machine = excluded.machine
  RETURNING run`;

/**
 * Leases between machines: a row that expires. On one machine the lock in the project's folder is asked first: whoever gets
 * it knows that a holder there is dead, and need not wait for the row to expire.
 */
export function serverLeases(
  database: Database,
  context: Pick<WorkflowContext, "folder" | "host">,
): RunLeases {
  const files = fileLeases(context);
  return {
    async take(run, epoch) {
      const lock = await files.take(run, epoch);
      if (lock === undefined) return undefined;
      const holder = randomUUID();
      const values = [run, epoch, holder, machineOf(context), LEASE_SECONDS];
      try {
        const taken = await database.patiently(() => database.write(TAKE, values));
        if (taken.length === 0) {
          await lock.release();
          return undefined;
        }
      } catch (error) {
        await lock.release();
        throw error;
      }
      const renew = () => database.write(RENEW, [run, epoch, holder, LEASE_SECONDS]).catch(() => undefined);
      const timer = setInterval(() => void renew(), (LEASE_SECONDS * 1000) / 3);
      timer.unref();
      return {
        async release() {
          clearInterval(timer);
          // A row that stays expires by itself; the error that the run ended with must not be hidden by one from here.
          await database.write(RELEASE, [run, epoch, holder]).catch(() => undefined);
          await lock.release();
        },
      };
    },
    async isHeld(run, epoch) {
      const rows = await database.read<{ machine: string }>(
        "SELECT machine FROM @leases WHERE run = $1 AND epoch = $2 AND expires > now()",
        [run, epoch],
      );
      const [held] = rows;
      if (held === undefined) return false;
      return held.machine !== machineOf(context) || files.isHeld(run, epoch);
    },
  };
}

const RENEW = `
  UPDATE @leases SET expires = now() + make_interval(secs => $4) WHERE run = $1 AND epoch = $2 AND holder = $3`;
const RELEASE = "DELETE FROM @leases WHERE run = $1 AND epoch = $2 AND holder = $3";

/** Containers may share a host's name or its boot, and folders their path: not all of it together. */
function machineOf({ folder, host }: Pick<WorkflowContext, "folder" | "host">): string {
  const { dev, ino } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  const facts = [host, currentBoot(), folder, dev, ino].join("\n");
  return createHash("sha256").update(facts).digest("hex").slice(0, 32);
}
