import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import pg from "pg";

import { runCommand } from "../cli/support/sandbox.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();

describe.skipIf(programs === undefined)("commands on a shared store", () => {
  let server: TestServer;
  const folder = mkdtempSync(join(tmpdir(), "cairn-shared-"));
  const home = mkdtempSync(join(tmpdir(), "cairn-home-"));
  beforeAll(async () => {
    server = await startServer(programs as string, { fsync: true });
  });
  afterAll(async () => {
    await server?.stop();
    for (const made of [folder, home]) rmSync(made, { recursive: true, force: true });
  });

  const shared = (schema: string) => `${server.url}?schema=${schema}`;
  const run = (args: readonly string[], store?: string, input?: string) => {
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      ...(store !== undefined && { CHECKPOINT_STORE: store }),
    };
    return runCommand(["-C", folder, ...args], { cwd: folder, env, input });
  };
  const json = (args: readonly string[], store?: string) => {
    const { status, stdout, stderr } = run([...args, "--json"], store);
    expect([status, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it("says what to do before the store is there, and then works with it from anywhere", () => {
    const store = shared("team");
    const early = run(["now"], store);
    expect(early.status).toBe(3);
    expect(early.stderr).toContain("checkpoint store migrate");
    expect(json(["store", "migrate"], store)).toMatchObject({ from: 0, to: 1 });
    json(["goal", "Ship the login page"], store);
    json(["now", "--notes", "from one machine"], store);
    expect(json(["store", "status"], store)).toMatchObject({
      kind: "shared",
      durability: "durable",
      trails: 1,
    });
    const other = mkdtempSync(join(tmpdir(), "cairn-other-"));
    const { stdout } = run(["-C", other, "load", "--json"], store);
    expect(JSON.parse(stdout)).toMatchObject({ goal: "Ship the login page", notes: "from one machine" });
    rmSync(other, { recursive: true });
    expect(run(["summary"], store).stdout).toContain("Ship the login page");
    expect(run(["verify"], store).status).toBe(0);
    expect(run(["doctor"], store).stdout).toContain("durable");
    expect(readdirSync(folder)).not.toContain(".cairn");
  });

  it("saves the events of an agent's session", () => {
    const store = shared("hooks");
    json(["store", "migrate"], store);
    const event = {
      session_id: "s-1",
      cwd: folder,
      hook_event_name: "UserPromptSubmit",
      prompt: "Fix the parser",
    };
    expect(run(["hook"], store, JSON.stringify(event)).status).toBe(0);
    expect(json(["trails"], store)).toMatchObject({ trails: [{ name: "session/s-1" }] });
  });

  it("copies a store to a server and back, and completes a copy", () => {
    const store = shared("copies");
    json(["store", "migrate"], store);
    for (const notes of ["one", "two", "three"]) json(["now", "--notes", notes]);
    json(["fork", "--as", "trial"]);
    json(["tag", "keep"]);
    expect(json(["store", "copy", "local", "shared"], store)).toMatchObject({
      trails: 2,
      checkpoints: 4,
      present: 0,
    });
    json(["now", "--notes", "four"]);
    const { stdout, stderr } = run(["store", "copy", "local", "shared"], store);
    expect(stdout).toContain(
      "Copied 5 checkpoints in 2 trails, and verified them; 4 of them were there before.",
    );
    expect(stderr).toContain("CHECKPOINT_STORE");
    expect(json(["list", "--all"], store)["checkpoints"]).toEqual(json(["list", "--all"])["checkpoints"]);
    const back = mkdtempSync(join(tmpdir(), "cairn-back-"));
    expect(json(["store", "copy", "shared", back], store)).toMatchObject({ checkpoints: 5 });
    expect(JSON.parse(run(["-C", back, "load", "keep", "--json"]).stdout)).toMatchObject({ trail: "main" });
    json(["now", "--notes", "its own way"], store);
    json(["now", "--notes", "another way"]);
    expect(run(["store", "copy", "local", "shared"], store).status).toBe(6);
    rmSync(back, { recursive: true });
  });

  it("keeps password and URL to itself", async () => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query("CREATE ROLE canary LOGIN PASSWORD 'c4n4ry-pw'");
    await client.query("GRANT CREATE ON DATABASE postgres TO canary");
    await client.end();
    const store = server.url.replace("postgres@", "canary:c4n4ry-pw@").concat("?schema=secrets");
    const outputs = [
      run(["store", "migrate"], store),
      run(["now", "--notes", "a note"], store),
      run(["load", "--json"], store),
      run(["doctor"], store),
      run(["now", "--store", store]),
      run(["now"], store.replace(String(server.port), "1")),
    ];
    expect(outputs.map(({ status }) => status)).toEqual([0, 0, 0, 0, 4, 1]);
    for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toMatch(/c4n4ry-pw|canary:/);
    const reader = new pg.Client({ connectionString: server.url });
    await reader.connect();
    const tables = await reader.query<{ t: string }>(
      "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS t FROM pg_tables WHERE schemaname = 'secrets'",
    );
    for (const { t } of tables.rows) {
      const { rows } = await reader.query<{ text: string }>(`SELECT each::text AS text FROM ${t} AS each`);
      for (const { text } of rows) {
        expect(text).not.toContain("c4n4ry");
        expect(text).not.toContain(Buffer.from("c4n4ry").toString("hex"));
      }
    }
    await reader.end();
  });
});
