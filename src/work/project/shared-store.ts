import type { Environment } from "../machine/environment.ts";
import { CheckpointError } from "../../core/errors.ts";
import type { Store } from "../../core/store/contract.ts";
import { type Capability, findPart, notInBuild } from "./capability.ts";

/** A store on a server, which many machines share, instead of the one in `.cairn`. */
export interface SharedStore extends Omit<ReachableStore, "url"> {
  /** Undefined while the variable that cairn.yaml names is not set. */
  readonly url: string | undefined;
  /** The variable that the URL came from. */
  readonly variable: string;
}

/** A shared store whose URL is known. */
export interface ReachableStore {
  readonly url: string;
  /** The part of the database that holds the store. */
  readonly schema?: string | undefined;
  /** Permits a connection without TLS, or without checking who answers, beyond this machine. */
  readonly insecure?: boolean | undefined;
  /** How long calls wait for a server that cannot be reached before they fail. */
  readonly patienceMs?: number | undefined;
}

/** What opens shared stores. */
export interface SharedStores {
  open(store: ReachableStore): Promise<Store>;
}

/** A command should say soon that the server is away; what a hook could not save waits in the spool. */
const PATIENCE_MS = 5000;

/** Where the user names a shared store; --store goes before it. */
export const STORE_VARIABLE = "CHECKPOINT_STORE";

/** The store whose URL is in a variable. Without a schema given, that of the URL counts. */
export function sharedStoreFrom(
  env: Environment,
  { url_env: variable, schema: given }: { readonly url_env: string; readonly schema?: string },
): SharedStore {
  const insecure = env["CHECKPOINT_INSECURE"] === "1";
  const chosen = env[variable];
  const shared = { insecure, variable, patienceMs: PATIENCE_MS };
  if (!chosen) return { ...shared, url: undefined, schema: given };
  const url = parse(chosen);
  const schema = given ?? url.searchParams.get("schema") ?? undefined;
  url.searchParams.delete("schema");
  return { ...shared, url: url.href, schema };
}

/** The environment with what was typed in it, so that it holds for hooks and servers too. */
export function withTypedStore(
  env: Environment,
  { store, insecure }: { readonly store: string | undefined; readonly insecure: boolean },
): Environment {
  if (store !== undefined && parse(store).password !== "") throw passwordTyped();
  return {
    ...env,
    ...(store !== undefined && { [STORE_VARIABLE]: store }),
    ...(insecure && { CHECKPOINT_INSECURE: "1" }),
  };
}

/** Opens a shared store. The code and the driver are loaded only here: whoever uses SQLite loads neither. */
export async function openSharedStore(
  project: { readonly capabilities: readonly Capability[] },
  shared: SharedStore,
): Promise<Store> {
  const stores = await findPart(project, "sharedStores");
  if (stores === undefined) throw notInBuild("The store of this project is on a server", "postgres");
  return stores.open(reachable(shared));
}

/** What a step must not see: the way into the store. */
export function withoutStore(env: Environment, shared: SharedStore | undefined): Environment {
  const hidden = [STORE_VARIABLE, "CHECKPOINT_INSECURE", "PGPASSWORD", "PGPASSFILE", shared?.variable];
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.includes(name)));
}

/** The same, once its URL is known. */
export function reachable({ url, variable, ...shared }: SharedStore): ReachableStore {
  if (url !== undefined) return { ...shared, url };
  throw new CheckpointError(
    "refused",
    `The store of this project is named by $${variable}, which is not set.`,
    {
      hint: `export ${variable}=postgres://user@host:5432/database`,
      details: { variable },
    },
  );
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
    { hint: "Put the whole URL into CHECKPOINT_STORE, or the password into PGPASSWORD." },
  );
}
