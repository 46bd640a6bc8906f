import { randomUUID } from "node:crypto";
import type * as Push from "../src/capabilities/sync/push.ts";
import type * as S3 from "../src/capabilities/sync/places/s3-remote.ts";
import type * as Sealing from "../src/capabilities/sync/sealing.ts";

// As in library.ts; apart from it, so that the memory of other figures does not hold this.
const built = (path: string) => import(new URL(`../dist/capabilities/sync/${path}`, import.meta.url).href);

export const { pushTrail } = (await built("push.js")) as typeof Push;
export const { UNSEALED } = (await built("sealing.js")) as typeof Sealing;
const { openS3Remote } = (await built("places/s3-remote.js")) as typeof S3;

export const PUSH_OPTIONS = { machine: "bench", now: () => new Date(), random: () => randomUUID() };

/** The bucket of the test server, readable. */
export async function openBucket(endpoint: string) {
  const place = { endpoint, region: "us-east-1", bucket: "bucket", prefix: "app/", label: "bench" };
  const credentials = { accessKeyId: "key", secretAccessKey: "secret" };
  return { remote: await openS3Remote(place, credentials, () => Promise.resolve()), sealing: UNSEALED };
}
