import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import pg from "pg";

import { publishedSchemas } from "../../scripts/schemas/publish.ts";
import { openCairn } from "../../src/checkpoints/cairn.ts";
import { migratePostgresStore, openPostgresStore } from "../../src/store/postgres.ts";
import { claim, findDue, renew } from "../../src/workflow/cluster/claims.ts";
import { openCluster } from "../../src/workflow/cluster/cluster.ts";
import { violations } from "../cli/support/validate.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();
const COMMAND = resolve("bin/checkpoint.js");

const WORKFLOW = `
name: chain
inputs: { token: { secret: true } }
steps:
  - { id: make, run: 'echo "made by $CAIRN_STEP_ID with $(cat given.txt)" > made.txt; echo said; env > "$OUT/make.env"', outputs: [made.txt] }
  - { id: go, approve: "Go on?" }
  - { id: use, run: 'test ! -e stray.txt && cat made.txt > used.txt; echo "$INPUT_TOKEN"', outputs: [used.txt] }
`;

const TWO_QUEUES = `
name: queues
steps:
  - { id: fast, run: echo fast }
  - { id: slow, run: echo slow, queue: slow }
`;

describe.skipIf(programs === undefined)("workers", () => {
  let server: TestServer;
  const home = mkdtempSync(join(tmpdir(), "cairn-home-"));
  const folders: string[] = [home];
  const workers: ChildProcess[] = [];
  beforeAll(async () => {
    server = await startServer(programs as string, { fsync: true });
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(
      "CREATE ROLE canary LOGIN PASSWORD 'c4n4ry-pw'; GRANT CREATE ON DATABASE postgres TO canary",
    );
    await client.end();
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await end(worker, "SIGKILL");
  });
  afterAll(async () => {
    await server?.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const storeOf = (schema: string) =>
    `${server.url.replace("postgres@", "canary:c4n4ry-pw@")}?schema=${schema}`;
  const envOf = (schema: string, more: Record<string, string> = {}) => ({
    PATH: process.env["PATH"],
    HOME: home,
    CHECKPOINT_STORE: storeOf(schema),
    ...more,
  });
  const logs: string[] = [];
  const run = (schema: string, root: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, "-C", root, ...args], {
      encoding: "utf8",
      env: envOf(schema),
      timeout: 60_000,
    });
    logs.push(stdout, stderr);
    return { status, stdout, stderr };
  };
  const work = (schema: string, root: string, ...args: string[]) => {
    const env = envOf(schema, { INPUT_TOKEN: "t0k3n-of-the-worker", OUT: home });
    const worker = spawn(process.execPath, [COMMAND, "-C", root, "worker", "--lease", "2s", ...args], {
      env,
    });
    for (const stream of [worker.stdout, worker.stderr]) stream.on("data", (data) => logs.push(String(data)));
    workers.push(worker);
    return worker;
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  /** A machine: a clone of the project. */
  const machine = (from?: string, files: Record<string, string> = {}) => {
    const root = mkdtempSync(join(tmpdir(), "cairn-machine-"));
    folders.push(root);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "pipe" });
    if (from !== undefined) {
      git("clone", "--quiet", from, ".");
      return root;
    }
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
    git("init", "--quiet");
    git("add", ".");
    git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "-m", "start");
    return root;
  };
  const statusOf = (schema: string, root: string, id: string) =>
    (JSON.parse(run(schema, root, "runs", "show", id, "--json").stdout) as { run: { status: string } }).run
      .status;
  const stepsOf = (schema: string, root: string, id: string) => {
    const { steps } = JSON.parse(run(schema, root, "runs", "show", id, "--json").stdout) as {
      steps: { status: string }[];
    };
    return steps.map(({ status }) => status);
  };
  const until = async (what: () => boolean | Promise<boolean>) => {
    for (let tries = 0; tries < 150; tries++) {
      if (await what()) return;
      await wait(100);
    }
    throw new Error(`It never came true.\n${logs.slice(-20).join("")}`);
  };

  it("carry a run from one machine to the next, with its files, and keep secrets to themselves", async () => {
    const a = machine(undefined, { "w.yaml": WORKFLOW, "given.txt": "commit" });
    const [b, c] = [machine(a), machine(a)];
    writeFileSync(join(a, "stray.txt"), "not committed");
    expect(run("carried", a, "store", "migrate").status).toBe(0);
    const first = work("carried", a, "--json");
    const printed: string[] = [];
    first.stdout?.on("data", (data) => printed.push(String(data)));
    expect(run("carried", a, "run", "w.yaml", "--run-id", "r")).toMatchObject({ status: 4 });
    await end(first, "SIGTERM");
    expect(first.exitCode).toBe(0);
    expect(violations(JSON.parse(printed.join("")), publishedSchemas().get("worker.json") ?? false)).toEqual(
      [],
    );
    rmSync(a, { recursive: true });
    expect(run("carried", b, "approve", "r").status).toBe(0);
    work("carried", c);
    await until(() => statusOf("carried", b, "r") === "completed");
    const list = JSON.parse(run("carried", b, "artifacts", "r", "--json").stdout) as {
      artifacts: { path: string }[];
    };
    expect(list.artifacts.map(({ path }) => path)).toEqual(["made.txt", "used.txt"]);
    expect(run("carried", b, "artifacts", "r", "--fetch").status).toBe(0);
    expect(readFileSync(join(b, "used.txt"), "utf8")).toBe("made by make with commit\n");
    expect(run("carried", b, "runs", "logs", "r", "make").stdout).toContain("said");
    expect(existsSync(join(c, "used.txt"))).toBe(false);
    const seen = readFileSync(join(home, "make.env"), "utf8");
    await expectNoSecrets("carried", [seen, ...logs]);
  });

  it("run only what their own checkout holds, in the queues they are for, and put back what the queue lost", async () => {
    const a = machine(undefined, { "w.yaml": TWO_QUEUES });
    const b = machine(a);
    writeFileSync(join(b, "w.yaml"), TWO_QUEUES.replace("echo fast", "echo else"));
    expect(run("queued", a, "store", "migrate").status).toBe(0);
    // Nobody takes the steps yet, so this only starts the run.
    const started = spawn(process.execPath, [COMMAND, "-C", a, "run", "w.yaml", "--run-id", "q"], {
      env: envOf("queued"),
    });
    workers.push(started);
    await until(() => run("queued", a, "runs", "show", "q", "--json").status === 0);
    const stranger = work("queued", b);
    await until(() => logs.some((log) => log.includes("Not run here")));
    expect(statusOf("queued", a, "q")).toBe("running");
    await end(stranger, "SIGTERM");
    const client = new pg.Client({ connectionString: storeOf("queued") });
    await client.connect();
    await client.query("DELETE FROM queued_queue.job");
    await client.end();
    const fast = work("queued", a);
    await until(() => JSON.stringify(stepsOf("queued", a, "q")) === '["completed","running"]');
    await end(fast, "SIGTERM");
    work("queued", a, "--queue", "slow");
    await until(() => statusOf("queued", a, "q") === "completed");
  });

  it("claim an attempt once, on the run as it is, and let claims expire to what they no longer run", async () => {
    const options = { url: server.url, schema: "claims" };
    await migratePostgresStore(options);
    const cluster = await openCluster(options);
    const cairn = await openCairn({ store: await openPostgresStore(options) });
    const trail = cairn.trail<object>("run/r", { initial: {} });
    const { content_hash: before } = await trail.commit({ at: 1 });
    const { content_hash: head } = await trail.commit({ at: 2 });
    const claimant = { worker: "00000000-0000-4000-8000-000000000001", leaseSeconds: 60 };
    const [kept, lost] = ["kept", "lost"].map((step) => ({ run: "r", step, attempt: 1 }));
    const claiming = (job: typeof kept, on: string, worker = claimant.worker) =>
      claim(cluster.database, job!, on, { worker, leaseSeconds: 0 });
    // Somebody may have settled it since, and deleted the claim: nobody may start it on the word of an older head.
    expect(await claiming(kept, before)).toBe("moved");
    for (const job of [kept, lost]) expect(await claiming(job, head)).toBe("claimed");
    expect(await claiming(kept, head)).toBe("claimed");
    expect(await claiming(kept, head, "another")).toBe("taken");
    expect(await renew(cluster.database, [kept!], claimant)).toEqual([kept]);
    await findDue(cluster.database);
    expect(await cluster.database.read("SELECT step FROM @outcomes WHERE outcome IS NOT NULL")).toEqual([
      { step: "lost" },
    ]);
    await cairn.close();
    await cluster.close();
  });

  it("stop a step whose run was cancelled elsewhere", async () => {
    const a = machine(undefined, { "w.yaml": "name: w\nsteps: [{ id: long, run: sleep 60 }]\n" });
    expect(run("cancelled", a, "store", "migrate").status).toBe(0);
    work("cancelled", a);
    const started = spawn(process.execPath, [COMMAND, "-C", a, "run", "w.yaml", "--run-id", "c"], {
      env: envOf("cancelled"),
    });
    workers.push(started);
    await until(() => logs.some((log) => log.includes("c/long/1 starts")));
    expect(run("cancelled", machine(a), "cancel", "c").status).toBe(0);
    await until(() => logs.some((log) => log.includes("c/long/1 was stopped")));
    expect(statusOf("cancelled", a, "c")).toBe("cancelled");
  });

  async function expectNoSecrets(schema: string, texts: readonly string[]): Promise<void> {
    for (const text of texts) expect(text).not.toMatch(/c4n4ry-pw|canary:|postgres:\/\//);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const tables = await client.query<{ t: string }>(
      `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS t FROM pg_tables WHERE schemaname LIKE '${schema}%'`,
    );
    expect(tables.rows.length).toBeGreaterThan(15);
    for (const { t } of tables.rows) {
      const { rows } = await client.query<{ text: string }>(`SELECT each::text AS text FROM ${t} AS each`);
      for (const { text } of rows)
        for (const secret of ["c4n4ry-pw", "t0k3n-of-the-worker", "postgres://"])
          for (const form of [secret, Buffer.from(secret).toString("hex")]) expect(text).not.toContain(form);
    }
    await client.end();
  }
});
