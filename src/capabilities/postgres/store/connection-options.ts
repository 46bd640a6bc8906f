import { CheckpointError } from "../../../core/errors.ts";

export interface PostgresOptions {
  /** `postgres://user@host/database`. The password may come from PGPASSWORD or a password file instead. */
  readonly url: string;
  /** The schema that holds the store. Several stores can share a database. */
  readonly schema?: string | undefined;
  /** Permits a connection without TLS, or without checking who answers, beyond this machine. */
  readonly insecure?: boolean | undefined;
  /** How long calls wait for a server that cannot be reached before they fail. */
  readonly patienceMs?: number | undefined;
}

/** Settings for `pg`. Beyond this machine the server must prove that it is the one in the URL. */
export function connectionOptions({ url, insecure = false }: PostgresOptions) {
  const parsed = parse(url);
  const mode = parsed.searchParams.get("sslmode");
  if (!isThisMachine(parsed)) {
    if (mode !== null && mode !== "verify-full" && !insecure)
      throw new CheckpointError("refused", `sslmode=${mode} does not check that the right server answers.`, {
        hint: "Use sslmode=verify-full, with sslrootcert=FILE for an authority of your own, or pass --insecure.",
      });
    if (mode === null) parsed.searchParams.set("sslmode", insecure ? "no-verify" : "verify-full");
  }
  return {
    connectionString: parsed.href,
    application_name: "cairn",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  };
}

/** How messages name a store: without user and password. */
export function nameOf({ url, schema }: PostgresOptions): string {
  const { host, pathname } = parse(url);
  return `"${schemaOf({ schema })}" in database "${pathname.slice(1)}" on ${host || "this machine"}`;
}

export function schemaOf({ schema = "cairn" }: { readonly schema?: string | undefined }): string {
  if (/^[a-z_][a-z0-9_]{0,47}$/.test(schema) && !schema.startsWith("pg_")) return schema;
  throw new CheckpointError("usage", `"${schema}" is not a name for a schema.`, {
    hint: "Use up to 48 lower-case letters, digits and underscores, not beginning with pg_.",
  });
}

function parse(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed && /^postgres(?:ql)?:$/.test(parsed.protocol)) return parsed;
  // The text itself is not repeated: it may hold a password.
  throw new CheckpointError("usage", "This is not the URL of a PostgreSQL database.", {
    hint: "Write it as postgres://user@host:5432/database.",
  });
}

function isThisMachine({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  return /^(?:|\/.*|localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}
