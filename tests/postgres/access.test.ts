import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import pg from "pg";

import { isCheckpointError } from "../../src/core/errors.ts";
import { changeOf } from "../../src/testing/store/samples.ts";
import { migratePostgresStore, openPostgresStore } from "../../src/capabilities/postgres/store.ts";
import { openCluster } from "../../src/capabilities/workers/cluster.ts";
import { connectionOptions } from "../../src/capabilities/postgres/store/connection-options.ts";
import { Database } from "../../src/capabilities/postgres/store/database.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();

describe.skipIf(programs === undefined)("access to a PostgreSQL store", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(programs as string);
    await sql("CREATE ROLE worker LOGIN");
  });
  afterAll(() => server?.stop());

  const sql = async (text: string, url = server.url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const result: unknown = await client.query(text);
      // Several statements at once have several results.
      return ((Array.isArray(result) ? result.at(-1) : result) as pg.QueryResult).rows as unknown[];
    } finally {
      await client.end();
    }
  };
  const asWorker = () => server.url.replace("postgres@", "worker@");
  const codeOf = (error: unknown) => (isCheckpointError(error) ? [error.code, error.hint] : error);

  it("lets a worker's role use everything, and change neither tables nor identity", async () => {
    await migratePostgresStore({ url: server.url, schema: "roles", role: "worker" });
    const store = await openPostgresStore({ url: asWorker(), schema: "roles" });
    const change = changeOf("a");
    await store.commit({ ...change, log: [{ what: "a" }], records: new Map([["key", new Uint8Array(3)]]) });
    await store.commit(changeOf("b", { from: change.checkpoint.id }));
    await store.attach(change.checkpoint.id, new Map([["other", new Uint8Array(2)]]));
    expect((await store.remove({ checkpoints: [change.checkpoint.id] })).removed).toHaveLength(1);
    expect((await store.sweep()).objectsDeleted).toBeGreaterThan(0);
    expect((await store.verify()).damage).toEqual([]);
    await store.close();
    await expect(sql("UPDATE roles.meta SET value = ''", asWorker())).rejects.toThrow("permission denied");
    await expect(sql("DROP TABLE roles.objects", asWorker())).rejects.toThrow("must be owner");
  });

  it("says how to get in when a role may not, or the schema is missing, older or newer", async () => {
    await migratePostgresStore({ url: server.url, schema: "closed" });
    const refused = await openPostgresStore({ url: asWorker(), schema: "closed" }).catch(codeOf);
    expect(refused).toEqual(["refused", "checkpoint store migrate --role NAME"]);
    const missing = await openPostgresStore({ url: server.url, schema: "nowhere" }).catch(codeOf);
    expect(missing).toEqual(["not-found", "checkpoint store migrate"]);
    await migratePostgresStore({ url: server.url, schema: "versions" });
    await sql("UPDATE versions.meta SET value = '99' WHERE key = 'store_schema'");
    const newer = await openPostgresStore({ url: server.url, schema: "versions" }).catch(codeOf);
    expect(newer).toEqual(["refused", "npm install cairn-checkpoint@latest"]);
    await expect(migratePostgresStore({ url: server.url, schema: "versions" })).rejects.toThrow(
      "newer version",
    );
  });

  it("neither opens nor changes a schema from before the first release", async () => {
    const early = { url: server.url, schema: "early" };
    await migratePostgresStore(early);
    await sql("UPDATE early.meta SET key = 'store_version' WHERE key = 'store_schema'");
    expect(await openPostgresStore(early).catch(codeOf)).toEqual(["refused", "checkpoint store migrate"]);
    expect(await migratePostgresStore(early).catch(codeOf)).toEqual([
      "refused",
      expect.stringContaining("checkpoint store copy"),
    ]);
    expect(await openPostgresStore(early).catch(codeOf)).toEqual(["refused", "checkpoint store migrate"]);
  });

  it("says what is wrong when a password or a safe connection is missing", async () => {
    await sql("CREATE ROLE locked LOGIN PASSWORD 'x'");
    const [{ hba_file: file } = { hba_file: "" }] = (await sql("SHOW hba_file")) as { hba_file: string }[];
    const lines = "('host all locked 127.0.0.1/32 scram-sha-256'), ('host all all 127.0.0.1/32 trust')";
    await sql(`COPY (VALUES ${lines}) TO '${file}'`);
    await sql("SELECT pg_reload_conf()");
    const messageOf = async (url: string) =>
      openPostgresStore({ url }).then(String, (error: Error & { hint?: string }) => [
        error.message,
        error.hint,
      ]);
    const locked = server.url.replace("postgres@", "locked@");
    await expect
      .poll(() => messageOf(locked))
      .toEqual([
        expect.stringMatching(/PostgreSQL asks for a password\.$/),
        "Check the user and the password in the URL, or set PGPASSWORD.",
      ]);
    expect(await messageOf(`${server.url}?sslmode=verify-full`)).toEqual([
      expect.stringContaining("The server does not support SSL connections"),
      expect.stringContaining("sslrootcert=FILE"),
    ]);
  });

  it("says that the tables of workers are missing where only a store was made", async () => {
    await migratePostgresStore({ url: server.url, schema: "idle" });
    const cluster = await openCluster({ url: server.url, schema: "idle" });
    expect(await cluster.dispatcher().catch(codeOf)).toEqual(["refused", "checkpoint store migrate"]);
    await cluster.close();
  });

  it("prepares a statement once in a session of its own, and none where another backend may answer", async () => {
    const countPrepared = async (url: string) => {
      const database = await Database.open({ url });
      const text = `SELECT $1 AS given, pg_backend_pid() AS backend,
        (SELECT count(*)::int FROM pg_prepared_statements) AS prepared`;
      const counts: number[] = [];
      for (let asked = 0; asked < 4; asked++)
        counts.push(
          ...(await database.write<{ prepared: number }>(text, ["x"], "ask")).map((row) => row.prepared),
        );
      await database.close();
      return counts;
    };
    expect(await countPrepared(server.url)).toEqual([0, 1, 1, 1]);

    // As a pooler does, it names another backend than the one that answers.
    const pooler = createServer((client) => {
      const backend = connect(server.port, "127.0.0.1");
      client.pipe(backend).on("data", (data) => {
        const key = data.indexOf(Buffer.of("K".charCodeAt(0), 0, 0, 0, 12));
        if (key !== -1) data.writeInt32BE(1, key + 5);
        client.write(data);
      });
      client.on("close", () => backend.destroy());
    });
    pooler.listen(0, "127.0.0.1");
    await once(pooler, "listening");
    const { port } = pooler.address() as AddressInfo;
    expect(await countPrepared(server.url.replace(String(server.port), String(port)))).toEqual([0, 0, 0, 0]);
    pooler.close();
  });

  it("migrates once, however many do it at the same moment", async () => {
    const options = { url: server.url, schema: "together" };
    const results = await Promise.all(Array.from({ length: 5 }, () => migratePostgresStore(options)));
    expect(results.filter(({ from }) => from === 0)).toHaveLength(1);
    expect(await migratePostgresStore(options)).toEqual({ from: 1, to: 1 });
  });

  it("calls a server that does not sync a cache", async () => {
    await migratePostgresStore({ url: server.url, schema: "unsafe" });
    const store = await openPostgresStore({ url: server.url, schema: "unsafe" });
    expect(store.durability).toBe("cache");
    await store.close();
  });

  it("makes a commit durable where the server would not wait", async () => {
    await migratePostgresStore({ url: server.url, schema: "hasty" });
    const rows = await sql(
      "BEGIN; SELECT hasty.enter(false); SELECT current_setting('synchronous_commit') AS level",
      server.url.concat("?options=-c%20synchronous_commit%3Doff"),
    );
    expect(rows).toEqual([{ level: "on" }]);
  });
});

describe("the connection of a PostgreSQL store", () => {
  const modeOf = (url: string, insecure = false) =>
    new URL(connectionOptions({ url, insecure }).connectionString).searchParams.get("sslmode");

  it("must be verified, unless it stays on this machine", () => {
    expect(modeOf("postgres://db.example/x")).toBe("verify-full");
    expect(modeOf("postgres://10.0.0.1/x?sslmode=verify-full")).toBe("verify-full");
    for (const local of ["localhost", "127.0.0.1", "[::1]", "%2Fvar%2Frun%2Fpostgresql"])
      expect(modeOf(`postgres://${local}/x`)).toBeNull();
  });

  it("is refused when it is weaker, unless that is asked for", () => {
    for (const mode of ["disable", "allow", "prefer", "require", "verify-ca", "no-verify"]) {
      expect(() => modeOf(`postgres://db.example/x?sslmode=${mode}`)).toThrow(mode);
      expect(modeOf(`postgres://db.example/x?sslmode=${mode}`, true)).toBe(mode);
    }
  });

  it("never repeats a URL that it cannot use", () => {
    expect(() => modeOf("mysql://u:secret@db/x")).toThrow(/^(?!.*secret)/);
  });
});
