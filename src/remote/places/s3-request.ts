import { createHash } from "node:crypto";
import type { AwsClient } from "aws4fetch";

import { isCheckpointError } from "../../errors.ts";
import { LARGEST_KEPT_BYTES } from "../contract.ts";
import { notOurs } from "../damage.ts";

/** An answer whose body has arrived whole. Status 599 stands for one that was lost: the request may have done its work. */
export interface S3Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** What went wrong, in S3's own word, as NoSuchBucket. */
  readonly code?: string | undefined;
  readonly cause?: unknown;
}

/** A pack of some megabytes must fit, over a slow line. */
const TIMEOUT_MS = 5 * 60_000;

/** Whether nobody knows what became of a request, or the service asks to slow down. */
export const isUnclear = ({ status }: S3Answer) => status >= 500 || status === 429;

/** Sends a request once. A clock that is wrong is no reason to fail: the service says what time it is. */
export async function sendOnce(client: AwsClient, url: string, init: RequestInit): Promise<S3Answer> {
  try {
    const answer = await sendDated(client, url, init);
    const theirTime = answer.code === "RequestTimeTooSkewed" ? timeOf(answer) : undefined;
    return theirTime === undefined ? answer : await sendDated(client, url, { ...init, aws: theirTime });
  } catch (cause) {
    if (isCheckpointError(cause)) throw cause;
    return { status: 599, headers: new Headers(), bytes: new Uint8Array(0), cause };
  }
}

async function sendDated(
  client: AwsClient,
  url: string,
  init: RequestInit & { readonly aws?: { readonly datetime: string } },
): Promise<S3Answer> {
  // Signed with the request, so that the service refuses a body that was changed or cut off on its way.
  const sha256 = createHash("sha256").update((init.body as Uint8Array | undefined) ?? "");
  const response = await client.fetch(url, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), "x-amz-content-sha256": sha256.digest("hex") },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { status, headers } = response;
  const bytes = await readBody(response, new URL(url).pathname);
  const length = headers.get("content-length");
  if (length !== null && init.method === undefined && Number(length) !== bytes.length)
    throw new Error(`${bytes.length} of ${length} bytes came`);
  const code = status < 300 ? undefined : /<Code>([^<]*)<\/Code>/.exec(Buffer.from(bytes).toString())?.[1];
  return { status, headers, bytes, code };
}

async function readBody({ body }: Response, path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > LARGEST_KEPT_BYTES) throw notOurs(path, "is too large");
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/** The service's clock, in the form that requests are dated by. */
function timeOf({ headers }: S3Answer): { datetime: string } | undefined {
  const time = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(time)) return undefined;
  return { datetime: new Date(time).toISOString().replaceAll(/[:-]|\.\d{3}/g, "") };
}
