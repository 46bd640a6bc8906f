import type * as Checkpoints from "../src/work/state/cairn.ts";
import type * as Gate from "../src/capabilities/governance/gate/governance.ts";
import type * as LedgerFile from "../src/capabilities/governance/ledger/ledger.ts";
import type * as Library from "../src/doors/library/index.ts";
import type * as Postgres from "../src/capabilities/postgres/store.ts";

// The build, because what is measured must be what ships; the types from the sources, because types are
// checked before there is a build.
const built = new URL("../dist/doors/library/index.js", import.meta.url).href;

export const { createRedactor, openCairn } = (await import(built)) as typeof Library;

const postgres = new URL("../dist/capabilities/postgres/store.js", import.meta.url).href;

export const { migratePostgresStore, openPostgresStore } = (await import(postgres)) as typeof Postgres;

/** For a store whose commits go through a gate already. */
export const { openUnguarded } = (await import(
  new URL("../dist/work/state/cairn.js", import.meta.url).href
)) as typeof Checkpoints;

/** The gate of a store. Loaded when it is asked for: most figures go without. */
export async function openGate(...args: Parameters<typeof LedgerFile.Ledger.open>): Promise<Gate.Governance> {
  const from = async (file: string): Promise<unknown> =>
    import(new URL(`../dist/capabilities/governance/${file}.js`, import.meta.url).href);
  const { Governance } = (await from("gate/governance")) as typeof Gate;
  const { Ledger } = (await from("ledger/ledger")) as typeof LedgerFile;
  return new Governance(await Ledger.open(...args));
}
