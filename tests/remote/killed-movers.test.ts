import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openCairn } from "../../src/work/state/cairn.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { mirrorLag } from "../../src/capabilities/sync/verbs/mirror.ts";
import { pullTrail } from "../../src/capabilities/sync/pull.ts";
import { UNSEALED } from "../../src/capabilities/sync/sealing.ts";
import { openMemoryStore, openSqliteStore } from "../../src/core/store/sqlite.ts";
import { bundleFile } from "../faults/support/program.ts";
import { report, scaled, skipLoudly, TIMEOUT_MS } from "../faults/support/scale.ts";
import {
  hasStruck,
  injecting,
  pointsOf,
  recording,
  whyNoStrace,
  type Point,
} from "../faults/support/strace.ts";
import { memoryRemote } from "./support/memory-remote.ts";
import { startMeteredProxy, type MeteredProxy } from "./support/metered-proxy.ts";
import { startS3Server, type S3Server } from "./support/s3-server.ts";

// In memory where that is possible: what a killed process has written survives it there too.
const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "cairn-killed-"));
const PROGRAM = bundleFile(join(import.meta.dirname, "programs/mover.ts"), folder);
/** `npm run proof` does it at many more bytes, and at every system call. */
const KILLS = scaled(3, 150);
const MOST_POINTS = scaled(3, Infinity);

const [LAPTOP, DESK] = [join(folder, "laptop"), join(folder, "desk")];

let [server, proxy]: [S3Server, MeteredProxy] = [] as never;
/** What the bucket holds before the push that is killed, and after it. */
let [old, whole]: [ReadonlyMap<string, Uint8Array>, ReadonlyMap<string, Uint8Array>] = [] as never;
let [before, after]: [string | undefined, string | undefined] = [] as never;

beforeAll(async () => {
  server = await startS3Server();
  proxy = await startMeteredProxy(Number(new URL(server.endpoint).port));
  const url = `s3://bucket/app?endpoint=http://127.0.0.1:${proxy.port}`;
  for (const home of [LAPTOP, DESK]) {
    mkdirSync(home);
    await withProject(home, async (project) => {
      await project.stores.open(project, "create");
      await verbs.remoteAdd(project, { name: "origin", url });
    });
  }
  await withProject(LAPTOP, async (project) => {
    // The fifth push also merges packs.
    for (let step = 0; step < 4; step++) {
      await save(project);
      await verbs.push(project, {});
    }
    [old, before] = [new Map(server.objects), await headOf(project)];
    for (let step = 0; step < 3; step++) await save(project);
    after = await headOf(project);
    await project.stores.close();
    cpSync(LAPTOP, `${LAPTOP}-pushed`, { recursive: true });
  });
  await withProject(`${LAPTOP}-pushed`, (project) => verbs.push(project, {}));
  whole = new Map(server.objects);
}, TIMEOUT_MS);

afterAll(async () => {
  await proxy.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

async function withProject<Result>(
  path: string,
  use: (project: verbs.Project) => Promise<Result>,
): Promise<Result> {
  const env = { HOME: path, AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
  const project = verbs.openProject({ path, env });
  try {
    return await use(project);
  } finally {
    await project.stores.close();
  }
}

const save = (project: verbs.Project) =>
  verbs.setVariable(project, { key: "noise", value: randomBytes(8_000).toString("base64") });

async function headOf(project: verbs.Project): Promise<string | undefined> {
  return (await project.stores.open(project, "read")).store.head("main");
}

function setBucket(objects: ReadonlyMap<string, Uint8Array>): void {
  server.objects.clear();
  for (const [key, value] of objects) server.objects.set(key, value);
}

/** A copy of a machine, as it was before anything was killed. */
function copyOf(home: string): string {
  const copy = join(folder, "copy");
  rmSync(copy, { recursive: true, force: true });
  cpSync(home, copy, { recursive: true });
  return copy;
}

/** Starts a mover and kills it once so many bytes have passed between it and the bucket. */
async function killAtByte(home: string, what: "push" | "pull", bytes: number): Promise<boolean> {
  const child = spawn(process.execPath, [PROGRAM, home, what], { stdio: "inherit" });
  proxy.allow(bytes, () => child.kill("SIGKILL"));
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  proxy.allow(Infinity);
  return signal === "SIGKILL";
}

/** Byte positions that are spread over all that passes. */
async function bytesToKillAt(home: string, what: "push" | "pull"): Promise<number[]> {
  proxy.allow(Infinity);
  await withProject(copyOf(home), async (project) => {
    await (what === "push" ? verbs.push(project, {}) : verbs.pull(project, {}));
  });
  return Array.from({ length: KILLS }, (_, at) => 1 + Math.floor((at * (proxy.passed - 2)) / KILLS));
}

/** What a machine that comes later gets from the bucket. */
async function clonedHead(): Promise<string | undefined> {
  const objects = new Map([...server.objects].map(([key, value]) => [key.slice("app/".length), value]));
  const [store, remote] = [await openMemoryStore(), memoryRemote(objects)];
  await pullTrail(store, { remote, sealing: UNSEALED }, "main", { remoteName: "origin" });
  expect((await store.verify()).damage).toEqual([]);
  const head = await store.head("main");
  await store.close();
  return head;
}

describe("killed with kill -9", { timeout: TIMEOUT_MS }, () => {
  it("at any byte, a push leaves the old head or the new one, and the next does the rest", async () => {
    let kills = 0;
    setBucket(old);
    for (const bytes of await bytesToKillAt(LAPTOP, "push")) {
      setBucket(old);
      const home = copyOf(LAPTOP);
      if (await killAtByte(home, "push", bytes)) kills += 1;
      expect([before, after], `after ${bytes} bytes`).toContain(await clonedHead());
      await withProject(home, (project) => verbs.push(project, {}));
      expect(await clonedHead(), `after ${bytes} bytes`).toBe(after);
    }
    expect(kills).toBe(KILLS);
    report(
      `${kills} kills, spread over all bytes of a push: each time the old head or the new one, whole; the next push does the rest`,
    );
  });

  it("at any byte, a pull leaves the store whole, and the next goes on", async () => {
    let kills = 0;
    setBucket(whole);
    for (const bytes of await bytesToKillAt(DESK, "pull")) {
      const home = copyOf(DESK);
      if (await killAtByte(home, "pull", bytes)) kills += 1;
      await checkPulled(home, `${bytes} bytes`);
    }
    expect(kills).toBe(KILLS);
    report(`${kills} kills, spread over all bytes of a pull: no half trail; the next pull goes on`);
  });

  async function checkPulled(home: string, where: string): Promise<void> {
    await withProject(home, async (project) => {
      expect([undefined, after], `at ${where}`).toContain(await headOf(project));
      await verbs.pull(project, {});
      expect(await headOf(project), `at ${where}`).toBe(after);
      expect((await verbs.verify(project, {})).damage, `at ${where}`).toEqual([]);
    });
  }

  const isSkipped = whyNoStrace && skipLoudly("kill -9 of pull and mirror at system calls", whyNoStrace);

  it.skipIf(isSkipped)(
    "at any change of the store, a pull leaves it whole, and the next goes on",
    async () => {
      setBucket(whole);
      const store = (home: string) => join(home, ".cairn");
      const points = await pointsIn(DESK, "pull", store);
      for (const point of points) {
        const home = copyOf(DESK);
        await killAt(home, "pull", { store: store(home), point });
        await checkPulled(home, JSON.stringify(point));
      }
      expect(points.length).toBeGreaterThan(0);
      report(
        `${points.length} kills, at changes of the store by a pull: no half trail; the next pull goes on`,
      );
    },
  );

  it.skipIf(isSkipped)("at any change of the mirror, it is a state that the store was in", async () => {
    const home = join(folder, "mirrored");
    cpSync(LAPTOP, home, { recursive: true });
    // Mirrors note whose they are by path, so the copy that is killed stands where this one stood.
    const mirrors = join(home, ".local", "share", "cairn", "mirrors");
    await withProject(home, (project) => verbs.mirror(project));
    const mirror = () => join(mirrors, readdirSync(mirrors)[0] ?? "");
    const cairn = await openCairn({ path: join(home, ".cairn") });
    for (let step = 0; step < 3; step++)
      await cairn.trail("main").commit((state) => void (state.variables["step"] = String(step)));
    const states = new Set((await cairn.trail("main").history()).map(({ content_hash }) => content_hash));
    await cairn.close();
    const kept = join(folder, "kept");
    cpSync(home, kept, { recursive: true });
    const reset = () => {
      rmSync(home, { recursive: true });
      cpSync(kept, home, { recursive: true });
    };
    const points = await pointsAt(reset, home, { what: "mirror", store: mirror });
    for (const point of points) {
      reset();
      await killAt(home, "mirror", { store: mirror(), point });
      const found = await openSqliteStore({ path: join(mirror(), "store.sqlite"), readOnly: true });
      expect((await found.verify()).damage, `at ${JSON.stringify(point)}`).toEqual([]);
      expect(states, `at ${JSON.stringify(point)}`).toContain(await found.head("main"));
      await found.close();
      await withProject(home, async (project) => {
        await verbs.mirror(project);
        expect((await mirrorLag(project))?.commits).toBe(0);
      });
    }
    report(
      `${points.length} kills, at changes of a mirror: each time a state that the store was in; the next command catches up`,
    );
  });

  const log = () => join(folder, "calls.log");

  /** The calls by which a mover changes a store. */
  async function pointsAt(
    reset: () => void,
    home: string,
    { what, store }: { what: string; store: () => string },
  ): Promise<Point[]> {
    reset();
    await runUnder(recording(log(), store()), home, what);
    const points = pointsOf(log());
    expect(points.length).toBeGreaterThan(10);
    const step = Math.ceil(points.length / MOST_POINTS) || 1;
    return points.filter((_, at) => at % step === step - 1);
  }

  async function pointsIn(home: string, what: string, store: (home: string) => string): Promise<Point[]> {
    const copy = join(folder, "copy");
    return pointsAt(() => void copyOf(home), copy, { what, store: () => store(copy) });
  }

  async function killAt(
    home: string,
    what: string,
    { store, point }: { store: string; point: Point },
  ): Promise<void> {
    await runUnder(injecting(log(), store, point, { kind: "signal=KILL" }), home, what);
    expect(hasStruck(log(), point), `at ${JSON.stringify(point)}`).toBe(true);
  }

  /** Not synchronous: the bucket is in this process. */
  async function runUnder(
    [command = "", ...args]: readonly string[],
    home: string,
    what: string,
  ): Promise<void> {
    const child = spawn(command, [...args, process.execPath, PROGRAM, home, what], { stdio: "ignore" });
    await once(child, "close");
  }
});
