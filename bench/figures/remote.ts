import { randomBytes } from "node:crypto";
import { join } from "node:path";

import type * as Project from "../../src/doors/library/project.ts";
import { memoryRemote } from "../../tests/remote/support/memory-remote.ts";
import { startS3Server, type S3Server } from "../../tests/remote/support/s3-server.ts";
import { startChild } from "../children.ts";
import { atMost, type Bench, type Figure, type Row } from "../figure.ts";
import { openCairn } from "../library.ts";
import { openBucket, PUSH_OPTIONS, pushTrail, UNSEALED } from "../remote-library.ts";
import { bytes } from "../units.ts";
import { appending } from "../workloads.ts";

const PUSHES = 10_000;
/** Between two merges of packs: a head lists up to this many. */
const COUNTED_PUSHES = 4;
const LARGE_MB = 100;

/** Requests and bytes are counted by a server of our own on loopback; they do not depend on how busy the machine is. */
export const remote: Figure = {
  name: "remote",
  title: "Push and clone over S3: requests and bytes",
  measure: async (bench) => [...(await oneByOne(bench)), await firstPush(bench)],
};

async function oneByOne({ corpus, place, progress }: Bench): Promise<Row[]> {
  progress.step(`remote: ${PUSHES} pushes of one checkpoint each`);
  const objects = new Map<string, Uint8Array>();
  const inMemory = { remote: memoryRemote(objects), sealing: UNSEALED };
  const cairn = await openCairn({ path: place.newFastFolder() });
  const trail = cairn.trail<object>("main", { initial: {} });
  const steps = appending(corpus)(PUSHES + COUNTED_PUSHES);
  for (let push = 1; push <= PUSHES; push++) {
    await trail.commit(() => steps.next().value?.state ?? {});
    await pushTrail(cairn.store, inMemory, "main", PUSH_OPTIONS);
    progress.at(push, PUSHES);
  }
  objects.set("cairn.json", Buffer.from(JSON.stringify({ cairn: "remote", version: 1, keyId: null })));
  const server = await startS3Server(new Map([...objects].map(([key, value]) => [`app/${key}`, value])));
  try {
    const bucket = await openBucket(server.endpoint);
    let [newBytes, sentBytes, mostRequests] = [0, 0, 0];
    for (let push = 0; push < COUNTED_PUSHES; push++) {
      const { value } = steps.next();
      await trail.commit(() => value?.state ?? {});
      await pushTrail(cairn.store, bucket, "main", PUSH_OPTIONS);
      const pushed = counted(server);
      newBytes += value?.newBytes ?? 0;
      sentBytes += pushed.bytes;
      mostRequests = Math.max(mostRequests, pushed.requests);
    }
    const checkpoints = await clone(place.newFastFolder(), server);
    if (checkpoints !== PUSHES + COUNTED_PUSHES) throw new Error(`The clone has ${checkpoints} checkpoints.`);
    const cloned = counted(server);
    const from = `${sentBytes} bytes sent for ${newBytes} new ones in ${COUNTED_PUSHES} pushes, without HTTP's headers; every fifth also merges packs`;
    await cairn.close();
    return [
      atMost("push of 1 checkpoint on 10,000: requests", mostRequests, { must: 4, digits: 0 }, from),
      atMost("the same: bytes sent / new bytes", sentBytes / newBytes, { must: 1.3 }, from),
      atMost(
        "clone of 10,000 checkpoints that were pushed one by one: requests",
        cloned.requests,
        { must: 60, digits: 0 },
        `${bytes(sizeOf(objects))} on the remote, packs that were merged included`,
      ),
    ];
  } finally {
    await server.close();
  }
}

async function clone(path: string, { endpoint }: S3Server): Promise<number> {
  const built = new URL("../../dist/doors/library/project.js", import.meta.url).href;
  const project = (await import(built)) as typeof Project;
  const env = { HOME: path, AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
  const fresh = project.openProject({ path, env });
  const { trails } = await project.clone(fresh, { url: `s3://bucket/app?endpoint=${endpoint}` });
  await fresh.stores.close();
  return trails[0]?.checkpoints ?? 0;
}

async function firstPush({ place, progress }: Bench): Promise<Row> {
  progress.step(`remote: first push of ${LARGE_MB} MB`);
  const path = join(place.newFastFolder(), "store");
  const cairn = await openCairn({ path });
  const trail = cairn.trail<object>("main", { initial: {} });
  for (let step = 0; step < LARGE_MB; step++)
    await trail.commit((state) => ({ ...state, [`v${step}`]: randomBytes(750_000).toString("base64") }));
  await cairn.close();
  const server = await startS3Server();
  try {
    const child = startChild("first-pusher.mjs", [path, server.endpoint]);
    const { peakBytes, checkpoints } = await child.next<{ peakBytes: number; checkpoints: number }>();
    await child.end();
    if (checkpoints !== LARGE_MB) throw new Error(`${checkpoints} checkpoints were pushed.`);
    const from = `${bytes(counted(server).bytes)} sent`;
    return atMost(
      `first push of ${LARGE_MB} MB: memory`,
      peakBytes / 1e6,
      { must: 200, unit: " MB", digits: 0 },
      from,
    );
  } finally {
    await server.close();
  }
}

/** What the server was asked for since the last time. */
function counted({ requests }: S3Server): { requests: number; bytes: number } {
  const seen = requests.splice(0);
  return { requests: seen.length, bytes: seen.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0) };
}

const sizeOf = (objects: ReadonlyMap<string, Uint8Array>) =>
  [...objects.values()].reduce((sum, { length }) => sum + length, 0);
