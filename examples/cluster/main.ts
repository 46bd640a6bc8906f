// npm run demo:cluster: PostgreSQL and three workers on this machine. Runs are handed in with a limit, one starts by the clock,
// and a worker is killed while it works: its run goes on.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { findPostgres, startServer } from "../../tests/postgres/support/server.ts";

const COMMAND = resolve("bin/checkpoint.js");
const WORKFLOW = `name: films
jobs: 6
steps:
${[1, 2, 3, 4, 5, 6].map((part) => `  - { id: part-${part}, needs: [], run: 'sleep 2; echo part ${part} > part-${part}.txt', outputs: [part-${part}.txt] }`).join("\n")}
  - { id: join, needs: [part-1, part-2, part-3, part-4, part-5, part-6], run: 'cat part-*.txt > film.txt', outputs: [film.txt] }
`;
/** Two orders of each customer at once. */
const ORDER = `name: order
inputs: { customer: { required: true } }
limit: { key: customer, at_once: 2 }
steps:
  - { id: pack, run: sleep 4 }
`;
const TICK = `name: tick
steps:
  - { id: tell, run: date }
`;

const programs = findPostgres();
if (programs === undefined) process.exit(1);
const server = await startServer(programs, { fsync: true });
const folder = mkdtempSync(join(tmpdir(), "cairn-cluster-"));
const root = join(folder, "project");
mkdirSync(root);
writeFileSync(join(root, "films.yaml"), WORKFLOW);
writeFileSync(join(root, "order.yaml"), ORDER);
writeFileSync(join(root, "tick.yaml"), TICK);
const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
git("init", "--quiet");
git("add", ".");
git("-c", "user.name=demo", "-c", "user.email=demo@example", "commit", "--quiet", "-m", "A workflow");
const env = { PATH: process.env["PATH"], HOME: folder, CHECKPOINT_STORE: `${server.url}?schema=demo` };
const checkpoint = (...args: string[]) => {
  console.log(`\n$ checkpoint ${args.join(" ")}`);
  spawnSync(process.execPath, [COMMAND, "-C", root, ...args], { env, stdio: "inherit" });
};
const start = (...args: string[]) =>
  spawn(process.execPath, [COMMAND, "-C", root, ...args], { env, stdio: ["ignore", "inherit", "inherit"] });

checkpoint("store", "migrate");
console.log("\n$ checkpoint worker --lease 3s --slots 2   (three times)");
const workers = [1, 2, 3].map(() => start("worker", "--lease", "3s", "--slots", "2"));
await wait(1500);
console.log("\n$ checkpoint run films.yaml --run-id film");
const run = start("run", "films.yaml", "--run-id", "film");
await wait(2500);
console.log(`\n$ kill -9 ${workers[0]!.pid}     # one of the workers`);
workers[0]!.kill("SIGKILL");
checkpoint("workers");
if (run.exitCode === null) await new Promise((ended) => run.once("exit", ended));
checkpoint("runs", "show", "film");
checkpoint("artifacts", "film", "--fetch");

console.log("\n# Four orders of one customer, two at once; the same name twice is the same run:");
for (const order of [1, 2, 3, 4, 4])
  checkpoint("run", "order.yaml", "--detach", "--run-id", `order-${order}`, "--input", "customer=ada");
checkpoint("runs", "--workflow", "order");
console.log("\n# Every five seconds, each time once, whichever worker is first:");
checkpoint("schedule", "add", "*/5 * * * * *", "tick.yaml");
await wait(13_000);
checkpoint("schedule", "remove", "tick");
checkpoint("runs", "--limit", "8");
for (const worker of workers) worker.kill("SIGKILL");
await server.stop();
rmSync(folder, { recursive: true, force: true });
