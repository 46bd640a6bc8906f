import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openCairn } from "../../src/work/state/cairn.ts";
import type { Remote } from "../../src/capabilities/sync/contract.ts";
import { testRemote } from "../../src/testing/test-remote.ts";
import { openS3Remote } from "../../src/capabilities/sync/places/s3-remote.ts";
import { pullTrail } from "../../src/capabilities/sync/pull.ts";
import { pushTrail } from "../../src/capabilities/sync/push.ts";
import { sealWith } from "../../src/capabilities/sync/sealing.ts";
import { openMemoryStore } from "../../src/core/store/sqlite.ts";
import { freePort } from "./support/free-port.ts";

/** The folder of Moto's Python package, a server that speaks S3 and honours conditions from version 5.2 on. */
const moto = process.env["CAIRN_TEST_MOTO"];
if (moto === undefined) console.warn("SKIPPED: remotes on Moto. npm run test:services brings it.");

describe.skipIf(moto === undefined)("a bucket of Moto", () => {
  let [server, endpoint]: [ChildProcess | undefined, string] = [undefined, ""];
  beforeAll(async () => {
    const port = await freePort();
    endpoint = `http://127.0.0.1:${port}`;
    server = spawn("python3", ["-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)], {
      stdio: "ignore",
      env: { ...process.env, PYTHONPATH: moto },
    });
    await answering(server, `${endpoint}/moto-api/`);
    // Moto looks at no signature; the name of the service in it says that S3 is meant.
    const authorization = "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request";
    const { status } = await fetch(`${endpoint}/bucket`, { method: "PUT", headers: { authorization } });
    if (status !== 200) throw new Error(`Moto made no bucket: ${status}`);
  });
  afterAll(async () => {
    if (server?.exitCode !== null) return;
    server.kill();
    await once(server, "exit");
  });

  const openBucket = (): Promise<Remote> =>
    openS3Remote(
      { endpoint, region: "us-east-1", bucket: "bucket", prefix: `${randomUUID()}/`, label: "moto" },
      { accessKeyId: "key", secretAccessKey: "secret" },
      (ms) => wait(ms),
    );

  testRemote(openBucket, { describe, it });

  it("brings a sealed trail, pushed step by step, to another machine", async () => {
    const trails = { remote: await openBucket(), sealing: sealWith(new Uint8Array(32).fill(7)) };
    const options = { machine: "laptop", now: () => new Date(), random: () => randomUUID() };
    const laptop = await openCairn({ store: await openMemoryStore() });
    for (let step = 0; step < 12; step++) {
      await laptop.trail("main").commit((state) => void (state.variables[`v${step}`] = randomUUID()));
      await pushTrail(laptop.store, trails, "main", options);
    }
    const store = await openMemoryStore();
    const pulled = await pullTrail(store, trails, "main", { remoteName: "origin" });
    expect(pulled).toMatchObject({ outcome: "new", checkpoints: 12 });
    expect(await store.head("main")).toBe(await laptop.store.head("main"));
  });
});

async function answering(child: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt++) {
    if (child.exitCode !== null) break;
    const answer = await fetch(url).catch(() => undefined);
    if (answer !== undefined) return;
    await wait(200);
  }
  throw new Error("Moto did not start: is everything there that it needs?");
}
