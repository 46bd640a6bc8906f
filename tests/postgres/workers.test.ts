import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { publishedSchemas } from "../../scripts/schemas/publish.ts";
import { openCairn } from "../../src/work/state/cairn.ts";
import { migratePostgresStore, openPostgresStore } from "../../src/capabilities/postgres/store.ts";
import { claim, findDue, renew } from "../../src/capabilities/workers/claims.ts";
import { cleanUp, takeTurn } from "../../src/capabilities/workers/clean-up.ts";
import { openCluster } from "../../src/capabilities/workers/cluster.ts";
import { HeadWatcher } from "../../src/capabilities/workers/head-watcher.ts";
import { migrateWork } from "../../src/capabilities/workers/migrate-work.ts";
import { DEFAULT_KEPT } from "../../src/capabilities/workers/thin-runs.ts";
import { letGo, report, takeRun } from "../../src/capabilities/workers/mover-lease.ts";
import { violations } from "../cli/support/validate.ts";
import { openMachines, TOKEN, type Machines } from "./support/machines.ts";
import { findPostgres } from "./support/server.ts";

const programs = findPostgres();

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

function processGroupOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[2]);
}

function commitIn(root: string, files: Readonly<Record<string, string>>, ...options: string[]): void {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "pipe" });
  git("add", ".");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "-m", "more", ...options);
}

describe.skipIf(programs === undefined)("workers", () => {
  let machines: Machines;
  beforeAll(async () => {
    machines = await openMachines(programs as string);
  });
  afterEach(() => machines.endAll());
  afterAll(() => machines?.close());

  it("carry a run from one machine to the next, with its files, and keep secrets to themselves", async () => {
    const { run, start, work, end, machine, migrate, show, until, logs } = machines;
    const a = machine(undefined, { "w.yaml": WORKFLOW, "given.txt": "commit" });
    const [b, c] = [machine(a), machine(a)];
    writeFileSync(join(a, "stray.txt"), "not committed");
    expect(migrate("carried", a).status).toBe(0);
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
    const following = start("carried", b, "runs", "logs", "r", "--follow");
    const followed: string[] = [];
    following.stdout.on("data", (data) => followed.push(String(data)));
    await until(() => followed.join("").includes("said"));
    expect(existsSync(join(b, ".cairn", ".gitignore"))).toBe(true);
    const approved = run("carried", b, "approve", "r");
    expect(approved).toMatchObject({ status: 0, stderr: expect.stringContaining("Workers continue it.") });
    work("carried", c);
    await until(() => show("carried", b, "r").run.status === "completed");
    await until(() => following.exitCode === 0);
    // On a busy machine a worker may miss its short lease, and then the step has another attempt.
    expect(followed.join("")).toMatch(/==> use, attempt \d+ <==/);
    const list = JSON.parse(run("carried", b, "artifacts", "r", "--json").stdout) as {
      artifacts: { path: string }[];
    };
    expect(list.artifacts.map(({ path }) => path)).toEqual(["made.txt", "used.txt"]);
    expect(run("carried", b, "artifacts", "r", "--fetch").status).toBe(0);
    expect(readFileSync(join(b, "used.txt"), "utf8")).toBe("made by make with commit\n");
    expect(run("carried", b, "runs", "logs", "r", "make").stdout).toContain("said");
    expect(existsSync(join(c, "used.txt"))).toBe(false);
    const seen = readFileSync(join(machines.home, "make.env"), "utf8");
    expect(seen).toContain(`INPUT_TOKEN=${TOKEN}\n`);
    const left = [b, c].flatMap((root) =>
      readdirSync(join(root, ".cairn"), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")),
    );
    expect(left.length).toBeGreaterThan(3);
    await expectNoSecrets("carried", [seen.replace(`INPUT_TOKEN=${TOKEN}\n`, ""), ...left, ...logs]);
    // All that was done by a role that cannot change what the store is.
    const hand = (sql: string) => machines.query(sql, "hand");
    await expect(hand("UPDATE carried.meta SET value = ''")).rejects.toThrow("permission denied");
    await expect(hand("DROP TABLE carried_queue.job")).rejects.toThrow("must be owner");
  });

  it("run only what their own checkout holds, in the queues they are for, and put back what the queue lost", async () => {
    const { run, start, work, end, machine, migrate, show, until, logs } = machines;
    const a = machine(undefined, { "w.yaml": TWO_QUEUES });
    const b = machine(a);
    expect(migrate("queued", a).status).toBe(0);
    // The stranger's history holds another commit, which defines the same.
    commitIn(b, { "other.txt": "" }, "--amend");
    // Nobody takes the steps yet, so this only starts the run.
    start("queued", a, "run", "w.yaml", "--run-id", "q");
    await until(() => run("queued", a, "runs", "show", "q", "--json").status === 0);
    const stranger = work("queued", b);
    await until(() => logs.some((log) => log.includes("Not run here")));
    expect(show("queued", a, "q").run.status).toBe("running");
    await end(stranger, "SIGTERM");
    await machines.query("DELETE FROM queued_queue.job");
    const fast = work("queued", a);
    const stepsNow = () => show("queued", a, "q").steps.map(({ status }) => status);
    await until(() => JSON.stringify(stepsNow()) === '["completed","running"]');
    await end(fast, "SIGTERM");
    expect(stepsNow()).toEqual(["completed", "running"]);
    work("queued", a, "--queue", "slow");
    await until(() => show("queued", a, "q").run.status === "completed");
  });

  it("read definition and files from the run's own commit, until it is moved to another", async () => {
    const { run, work, end, machine, migrate, show, until } = machines;
    const flow = (words: string) => `name: pinned
steps:
  - { id: first, run: 'cat given.txt >> "$OUT/pinned.log"' }
  - { id: go, approve: "Go on?" }
  - { id: second, run: 'echo "${words} $(cat given.txt)" >> "$OUT/pinned.log"; test -e go.txt' }
`;
    const log = () => readFileSync(join(machines.home, "pinned.log"), "utf8").split("\n").slice(0, -1);
    const a = machine(undefined, { "w.yaml": flow("old"), "given.txt": "one\n" });
    expect(migrate("pinned", a).status).toBe(0);
    const first = work("pinned", a);
    expect(run("pinned", a, "run", "w.yaml", "--run-id", "p").status).toBe(4);
    // The checkout moves on while the run waits, and another worker, which remembers nothing, takes the rest.
    await end(first, "SIGTERM");
    commitIn(a, { "w.yaml": flow("new"), "given.txt": "two\n", "go.txt": "" });
    work("pinned", a);
    expect(run("pinned", a, "approve", "p").status).toBe(0);
    await until(() => show("pinned", a, "p").run.status === "failed");
    expect(log()).toEqual(["one", "old one"]);

    const again = run("pinned", a, "resume", "p");
    expect(again.status).toBe(1);
    expect(again.stderr).toMatch(
      /The run stays on commit [0-9a-f]{8}, with its definition and files; this checkout is at [0-9a-f]{8}\.\n {2}To move it: checkpoint resume p --to [0-9a-f]{8}\n/,
    );
    expect(log()).toEqual(["one", "old one", "old one"]);

    expect(run("pinned", a, "resume", "p", "--to", "nowhere")).toMatchObject({ status: 3 });
    const moved = run("pinned", a, "resume", "p", "--to", "HEAD");
    expect(moved.status).toBe(0);
    expect(moved.stderr).not.toContain("The run stays on commit");
    expect(log()).toEqual(["one", "old one", "old one", "new two"]);
    await machines.endAll("SIGTERM");
    expect(readdirSync(join(a, ".cairn/workers"))).toEqual([]);
  });

  it("leave nothing behind that the next start does not remove, when they are killed", async () => {
    const { run, work, end, machine, migrate, until, home } = machines;
    const flow = `name: killed
steps:
  - { id: quick, run: 'for i in $(seq 600); do test -s "$OUT/slow.pid" && break; sleep 0.1; done; echo "a secret that a step printed"; kill -9 $(cat "$OUT/worker.pid"); kill -9 $$' }
  - { id: slow, needs: [], run: 'echo $$ > "$OUT/slow.pid"; exec sleep 600' }
`;
    const a = machine(undefined, { "w.yaml": flow });
    expect(migrate("killed", a).status).toBe(0);
    const left = (name: string) => {
      const workers = join(a, ".cairn/workers");
      return readdirSync(workers, { recursive: true, encoding: "utf8" }).filter((path) =>
        path.endsWith(name),
      );
    };
    const killed = work("killed", a);
    writeFileSync(join(home, "worker.pid"), String(killed.pid));
    const watching = machines.start("killed", a, "run", "w.yaml", "--run-id", "k");
    await until(() => killed.signalCode === "SIGKILL" && existsSync(join(home, "slow.pid")));
    expect(left("output").length).toBeGreaterThan(0);
    expect(run("killed", a, "cancel", "k").status).toBe(0);
    await until(() => watching.exitCode !== null);

    // A command that outlived its worker keeps its files.
    const slow = Number(readFileSync(join(home, "slow.pid"), "utf8"));
    await end(work("killed", a), "SIGTERM");
    // On a busy machine the worker may have lost its claim once before it was killed.
    expect(left("output").filter((path) => path.includes("slow@"))).toHaveLength(1);
    process.kill(-processGroupOf(slow), "SIGKILL");
    await until(() => !existsSync(`/proc/${slow}`));
    const next = work("killed", a);
    await until(() => left(".lock").length === 1 && left("output").length === 0);
    await end(next, "SIGTERM");
    expect(left("")).toEqual([]);
    expect(
      execFileSync("git", ["worktree", "list", "--porcelain"], { cwd: a, encoding: "utf8" }).match(
        /^worktree /gm,
      ),
    ).toHaveLength(1);
  });

  it("and `run` says when the workflow is not committed as it is", async () => {
    const { run, work, machine, migrate, until, logs } = machines;
    const a = machine(undefined, { "w.yaml": TWO_QUEUES });
    expect(migrate("dirty", a).status).toBe(0);
    writeFileSync(join(a, "w.yaml"), TWO_QUEUES.replace("echo fast", "echo else"));
    const watching = machines.start("dirty", a, "run", "w.yaml", "--run-id", "d");
    await until(() => logs.some((log) => log.includes('"w.yaml" is not committed as it is.')));
    work("dirty", a);
    await until(() => logs.some((log) => log.includes('does not define step "fast" as run "d" does')));
    expect(run("dirty", a, "cancel", "d").status).toBe(0);
    await until(() => watching.exitCode !== null);
  });

  it("claim an attempt once, on the run as it is, and let claims expire to what they no longer run", async () => {
    const options = { url: machines.server.url, schema: "claims" };
    await migratePostgresStore(options);
    const cluster = await openCluster(options);
    await migrateWork(cluster.database);
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

  it("hear only the worker that claimed an attempt, and once; and one mover at a time has a run", async () => {
    const options = { url: machines.server.url, schema: "reports" };
    await migratePostgresStore(options);
    const cluster = await openCluster(options);
    const { database } = cluster;
    await migrateWork(database);
    const cairn = await openCairn({ store: await openPostgresStore(options) });
    const { content_hash: head } = await cairn.trail<object>("run/r", { initial: {} }).commit({ at: 1 });
    const job = { run: "r", step: "build", attempt: 1 };
    const [own, other] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
    const isHeard = async (worker: string, reason: string) =>
      (
        await report(database, {
          job,
          worker,
          outcome: { kind: "failed", step: "build", attempt: 1, reason },
        })
      ).isHeard;
    // Nobody has claimed it, or another worker has.
    expect(await isHeard(own, "early")).toBe(false);
    expect(await claim(database, job, head, { worker: own, leaseSeconds: 60 })).toBe("claimed");
    expect(await isHeard(other, "not its own")).toBe(false);
    expect(await isHeard(own, "first")).toBe(true);
    // An answer that was lost is asked for again, with the same outcome.
    expect(await isHeard(own, "first")).toBe(true);
    expect(await isHeard(own, "second")).toBe(false);

    const taken = await takeRun(database, "r", "one");
    expect(taken?.news).toMatchObject([{ reason: "first" }]);
    expect(await takeRun(database, "r", "two")).toBeUndefined();
    await letGo(database, taken!);
    expect(await takeRun(database, "r", "two")).toMatchObject({ holder: "two", head });
    await cairn.close();
    await cluster.close();
  });

  // A pooler in transaction mode hands none on.
  const isPooled = process.env["CAIRN_TEST_PGBOUNCER"] !== undefined;
  it.skipIf(isPooled)("give hints to other processes, and hear none of their own", async () => {
    const options = { url: machines.server.url, schema: "hinted" };
    const [here, there] = [await openCluster(options), await openCluster(options)];
    const heard: string[] = [];
    here.hints.listen((hint) => heard.push(hint));
    // Nobody says when the connection is there: until then hints are lost.
    await machines.until(() => {
      here.hints.send(["own"]);
      there.hints.send(["gpu", "run/r"]);
      return heard.includes("run/r");
    });
    expect(new Set(heard)).toEqual(new Set(["gpu", "run/r"]));
    await here.close();
    await there.close();
  });

  it("and commands watch many runs in one process with one statement a look", async () => {
    const options = { url: machines.server.url, schema: "watched" };
    await migratePostgresStore(options);
    const cluster = await openCluster(options);
    const cairn = await openCairn({ store: await openPostgresStore(options) });
    const trails = Array.from({ length: 30 }, (_, at) => cairn.trail<object>(`run/${at}`, { initial: {} }));
    const heads = await Promise.all(trails.map(async (trail) => (await trail.commit({})).content_hash));
    let asked = 0;
    const counted = new Proxy(cluster.database, {
      get(target, name: keyof typeof cluster.database) {
        if (name === "read") asked++;
        return target[name];
      },
    });
    const watcher = new HeadWatcher(counted, cluster.hints);
    const over = new AbortController();
    const watched = trails.map(({ name }, at) => watcher.next(name, heads[at], over.signal));
    // One of them moves: only its watcher is told. The others go on until they are stopped.
    const { content_hash: moved } = await trails[7]!.commit({ moved: true });
    expect(await Promise.race(watched)).toBe(moved);
    over.abort();
    expect(await Promise.all(watched)).toEqual(heads.map((head, at) => (at === 7 ? moved : head)));
    expect(asked).toBeLessThan(trails.length);
    expect(await watcher.next("run/7", undefined)).toBe(moved);
    await cluster.close();
    await expect(watcher.next("run/7", moved)).rejects.toMatchObject({ code: "usage" });
    await cairn.close();
  });

  it("stop a step whose run was cancelled elsewhere", async () => {
    const { run, start, work, machine, migrate, show, until, logs } = machines;
    const a = machine(undefined, { "w.yaml": "name: w\nsteps: [{ id: long, run: sleep 60 }]\n" });
    expect(migrate("cancelled", a).status).toBe(0);
    work("cancelled", a);
    start("cancelled", a, "run", "w.yaml", "--run-id", "c");
    await until(() => logs.some((log) => log.includes("c/long/1 starts")));
    expect(run("cancelled", machine(a), "cancel", "c").status).toBe(0);
    await until(() => logs.some((log) => log.includes("c/long/1 was stopped")));
    expect(show("cancelled", a, "c").run.status).toBe("cancelled");
  });

  it("refuse a file that is too big, and delete what runs that are gone have left, a day later", async () => {
    const { run, work, machine, migrate } = machines;
    const make = (kb: number) => `"head -c ${kb}k /dev/zero > f; echo made", outputs: [f]`;
    const a = machine(undefined, {
      "big.yaml": `name: big\nsteps: [{ id: a, run: ${make(1025)} }]\n`,
      "kept.yaml": `name: kept\nsteps: [{ id: a, run: ${make(600)} }]\n`,
      "gone.yaml": `name: gone\nsteps: [{ id: a, run: ${make(300)} }]\n`,
    });
    expect(migrate("files", a).status).toBe(0);
    work("files", a, "--max-file-mb", "1");
    expect(run("files", a, "run", "big.yaml", "--run-id", "big").stderr).toContain("more than the 1048576");
    for (const name of ["kept", "gone"])
      expect(run("files", a, "run", `${name}.yaml`, "--run-id", name).status).toBe(0);
    const options = { url: machines.server.url, schema: "files" };
    const cluster = await openCluster(options);
    const cairn = await openCairn({ store: await openPostgresStore(options) });
    const context = { cairn, folder: join(a, ".cairn"), now: () => new Date() };
    await cairn.store.remove({ trails: ["run/gone"] });
    // A job of a run that is gone, and the lease and the news of it.
    const dispatcher = await cluster.dispatcher();
    await dispatcher.enqueue([{ run: "gone", step: "a", attempt: 2 }], { queue: "nobody" });
    await cluster.database.write(
      `INSERT INTO @leases VALUES ('gone', 1, 'h', 'm', now());
       INSERT INTO @outcomes VALUES ('gone', 'a', 2, 'w', now() - interval '1 s')`,
    );
    const dead = async () =>
      cluster.database.read(
        `SELECT (SELECT count(*)::int FROM files_queue.job) AS jobs, (SELECT count(*)::int FROM @leases) AS leases,
         (SELECT count(*)::int FROM @outcomes) AS news`,
      );
    // Workers move the run of a claim that has expired, and forget the news of one that is gone.
    await machines.until(async () => (await cluster.database.read("SELECT 1 FROM @outcomes")).length === 0);
    const left = async () => [
      await cluster.database.read("SELECT run FROM @attempt_logs ORDER BY run"),
      await cluster.database.read("SELECT sum(length(data))::int AS bytes FROM @blobs"),
    ];
    await cleanUp(context, cluster, DEFAULT_KEPT);
    expect(await left()).toEqual([[{ run: "big" }, { run: "kept" }], [{ bytes: 900 * 1024 }]]);
    expect(await dead()).toEqual([{ jobs: 1, leases: 1, news: 0 }]);
    await cluster.database.write(
      `UPDATE @blobs SET since = since - interval '2 days'; UPDATE @leases SET expires = expires - interval '2 days';
       UPDATE files_queue.job SET created_on = created_on - interval '2 days'`,
    );
    await cleanUp(context, cluster, DEFAULT_KEPT);
    expect(await left()).toEqual([[{ run: "big" }, { run: "kept" }], [{ bytes: 600 * 1024 }]]);
    expect(await dead()).toEqual([{ jobs: 0, leases: 0, news: 0 }]);
    await cairn.close();
    await cluster.close();
  });

  it("keep every archived run when runs end, and remove the old and the many in the background, one worker at a time", async () => {
    const { run, work, machine, migrate } = machines;
    const steps = Array.from(
      { length: 12 },
      (_, at) => `{ id: s${at}, run: "true", needs: [${at ? `s${at - 1}` : ""}] }`,
    );
    const a = machine(undefined, {
      "one.yaml": "name: one\nsteps: [{ id: a, run: 'true' }]\n",
      "long.yaml": `name: long\nsteps: [${steps.join(", ")}]\n`,
    });
    expect(migrate("thinned", a).status).toBe(0);
    work("thinned", a);
    for (let at = 0; at < 7; at++)
      expect(run("thinned", a, "run", "one.yaml", "--run-id", `r${at}`).status).toBe(0);
    expect(run("thinned", a, "run", "one.yaml", "--local", "--run-id", "here").status).toBe(0);
    expect(run("thinned", a, "run", "long.yaml", "--run-id", "long").status).toBe(0);
    const options = { url: machines.server.url, schema: "thinned" };
    const cluster = await openCluster(options);
    const cairn = await openCairn({ store: await openPostgresStore(options) });
    const context = { cairn, folder: join(a, ".cairn"), now: () => new Date() };
    const runs = async () =>
      (await cairn.trails({ prefix: "run/" })).map(({ name }) => name.slice(4)).toSorted();
    const length = async (id: string) => (await cairn.trail(`run/${id}`).history()).length;
    expect(await runs()).toEqual(["here", "long", "r0", "r1", "r2", "r3", "r4", "r5", "r6"]);
    const before = await length("long");
    expect(before).toBeGreaterThan(10);

    await cleanUp(context, cluster, { days: 30, runs: 3 });
    expect(await runs()).toEqual(["here", "long", "r5", "r6"]);
    expect(await length("long")).toBeLessThan(before);
    const later = { ...context, now: () => new Date(Date.now() + 31 * 86_400_000) };
    await cleanUp(later, cluster, DEFAULT_KEPT);
    expect(await runs()).toEqual([]);

    const turns = await Promise.all(["w1", "w2", "w3"].map((worker) => takeTurn(cluster.database, worker)));
    expect(turns.filter((turn) => turn)).toHaveLength(1);
    await cairn.close();
    await cluster.close();
  });

  /** In rows, in what rows hold compressed, in what was printed, and in what was left on the machines. */
  async function expectNoSecrets(schema: string, texts: readonly string[]): Promise<void> {
    const secrets = ["c4n4ry-pw", "h4nd-pw", "canary:", "hand:", "postgres://", TOKEN];
    const found: string[] = [];
    const look = (where: string, text: string) => {
      for (const secret of secrets)
        for (const form of [secret, Buffer.from(secret).toString("hex")])
          if (text.includes(form)) found.push(`${secret} in ${where}`);
    };
    for (const text of texts) look("what was printed", text);
    const tables = await machines.query<{ t: string }>(
      `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS t FROM pg_tables WHERE schemaname LIKE '${schema}%'`,
    );
    expect(tables.length).toBeGreaterThan(15);
    for (const { t } of tables)
      for (const { text } of await machines.query<{ text: string }>(
        `SELECT each::text AS text FROM ${t} AS each`,
      ))
        look(t, text);
    const cairn = await openCairn({ store: await openPostgresStore({ url: machines.server.url, schema }) });
    let states = 0;
    for (const { name } of await cairn.trails())
      for (const { checkpoint_id } of await cairn.trail(name).history()) {
        look(name, JSON.stringify(await cairn.trail(name).load(checkpoint_id)));
        states++;
      }
    expect(states).toBeGreaterThan(1);
    await cairn.close();
    expect(found).toEqual([]);
  }
});
