import { createHash } from "node:crypto";
import type { AwsClient } from "aws4fetch";

import type { S3Place } from "./s3-remote.ts";
import { unreachable } from "./s3-errors.ts";

/** An answer whose body has arrived whole. */
export interface S3Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: () => string;
}

interface Sending {
  readonly client: AwsClient;
  readonly place: S3Place;
  readonly wait: (ms: number) => Promise<void>;
  readonly mostTries?: number;
}

const MOST_TRIES = 5;

/** A pack of some megabytes must fit, over a slow line. */
const TIMEOUT_MS = 5 * 60_000;

/**
 * Sends a request that may be repeated, until it is answered: the service asks to slow down, the connection breaks, the
 * body is cut off. A clock that is wrong is no reason to fail: the service says what time it is.
 */
export async function sendPatiently(sending: Sending, url: string, init: RequestInit): Promise<S3Answer> {
  const { place, wait, mostTries = MOST_TRIES } = sending;
  let [answer, cause]: [S3Answer | undefined, unknown] = [undefined, undefined];
  for (let attempt = 1; attempt <= mostTries; attempt++) {
    if (attempt > 1) await wait(100 * 2 ** attempt);
    try {
      answer = await sendOnce(sending, url, init);
      if (answer.status < 500 && answer.status !== 429) return answer;
    } catch (error) {
      [answer, cause] = [undefined, error];
    }
  }
  if (answer !== undefined && mostTries === 1) return answer;
  throw unreachable(place, cause ?? new Error(`status ${answer?.status}`));
}

async function sendOnce(
  sending: Sending,
  url: string,
  init: RequestInit,
  datetime?: string,
): Promise<S3Answer> {
  const { body } = init;
  const headers = {
    ...(init.headers as Record<string, string>),
    // Signed with the request, so that the service refuses a body that was changed or cut off on its way.
    "x-amz-content-sha256": createHash("sha256")
      .update((body as Uint8Array | undefined) ?? "")
      .digest("hex"),
  };
  const response = await sending.client.fetch(url, {
    ...init,
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(datetime !== undefined && { aws: { datetime } }),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const length = response.headers.get("content-length");
  if (length !== null && init.method === undefined && Number(length) !== bytes.length)
    throw new Error(`${bytes.length} of ${length} bytes came`);
  const { status, headers: answered } = response;
  const answer = { status, headers: answered, bytes, text: () => Buffer.from(bytes).toString("utf8") };
  const theirTime = datetime === undefined && isOtherTime(answer) ? timeOf(answer) : undefined;
  return theirTime === undefined ? answer : sendOnce(sending, url, init, theirTime);
}

const isOtherTime = (answer: S3Answer) =>
  answer.status === 403 && answer.text().includes("<Code>RequestTimeTooSkewed</Code>");

/** The service's clock, in the form that requests are dated by. */
function timeOf({ headers }: S3Answer): string | undefined {
  const time = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().replaceAll(/[:-]|\.\d{3}/g, "");
}
