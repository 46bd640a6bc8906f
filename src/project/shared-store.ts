import type { Environment } from "../capture/environment.ts";
import { CheckpointError } from "../errors.ts";
import type { Store } from "../store/contract.ts";
import type { Cluster } from "../workflow/cluster/cluster.ts";
import type { PostgresOptions } from "../store/postgres/connection-options.ts";

/** A store on a server, which many machines share, instead of the one in `.cairn`. */
export type SharedStore = Pick<PostgresOptions, "url" | "schema" | "insecure">;

/** A command should say soon that the server is away; what a hook could not save waits in the spool. */
const PATIENCE_MS = 5000;

/** The store that the user chose: by --store, which goes before the variable CHECKPOINT_STORE. */
export function sharedStoreOf(chosen: string, env: Environment): SharedStore {
  const url = parse(chosen);
  const schema = url.searchParams.get("schema") ?? undefined;
  url.searchParams.delete("schema");
  return { url: url.href, schema, insecure: env["CHECKPOINT_INSECURE"] === "1" };
}

/** The environment with what was typed in it, so that it holds for hooks and servers too. */
export function withTypedStore(
  env: Environment,
  { store, insecure }: { readonly store: string | undefined; readonly insecure: boolean },
): Environment {
  if (store !== undefined && parse(store).password !== "") throw passwordTyped();
  return {
    ...env,
    ...(store !== undefined && { CHECKPOINT_STORE: store }),
    ...(insecure && { CHECKPOINT_INSECURE: "1" }),
  };
}

/** Opens a shared store. The code and the driver are loaded only here: whoever uses SQLite loads neither. */
export async function openSharedStore(shared: SharedStore): Promise<Store> {
  const { openPostgresStore } = await import("../store/postgres.ts");
  return openPostgresStore({ ...shared, patienceMs: PATIENCE_MS });
}

/** What the runs in a shared store need besides the store. Loaded only here, too. */
export async function openSharedCluster(shared: SharedStore): Promise<Cluster> {
  const { openCluster } = await import("../workflow/cluster/cluster.ts");
  return openCluster({ ...shared, patienceMs: PATIENCE_MS });
}

/** What a step must not see: the way into the store. */
export function withoutStore(env: Environment): Environment {
  const { CHECKPOINT_STORE: _, CHECKPOINT_INSECURE: __, PGPASSWORD: ___, PGPASSFILE: ____, ...rest } = env;
  return rest;
}

/** What was given is not repeated: it may hold a password. */
function parse(given: string): URL {
  const url = URL.parse(given);
  if (url && /^postgres(?:ql)?:$/.test(url.protocol)) return url;
  throw new CheckpointError("usage", "The shared store needs the URL of a PostgreSQL database.", {
    hint: "Write it as postgres://user@host:5432/database?schema=NAME, with --store or in CHECKPOINT_STORE.",
  });
}

function passwordTyped(): CheckpointError {
  return new CheckpointError(
    "refused",
    "A password in --store would be visible to everybody on this machine.",
    {
      hint: "Put the whole URL into CHECKPOINT_STORE, or the password into PGPASSWORD.",
    },
  );
}
