import { hash } from "node:crypto";
import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import type { AwsClient } from "aws4fetch";

import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import { mostBytesOf } from "../contract.ts";
import { notOurs } from "../damage.ts";

/** An answer whose body has arrived whole. Status 599 stands for one that was lost: the request may have done its work. */
export interface S3Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
  /** What went wrong, in S3's own word, as NoSuchBucket. */
  readonly code?: string | undefined;
  readonly cause?: unknown;
}

export interface S3Request {
  readonly method?: "PUT" | "DELETE";
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the answer. */
  readonly mostBytes?: number;
}

export interface S3Service {
  readonly client: AwsClient;
  /** How long it may neither send nor take anything. */
  readonly silenceMs: number;
}

/** A pack of some megabytes must fit, over a slow line. */
const TIMEOUT_MS = 5 * 60_000;

/** Whether nobody knows what became of a request, or the service asks to slow down. */
export const isUnclear = ({ status }: S3Answer) => status >= 500 || status === 429;

/** Sends a request once. A clock that is wrong is no reason to fail: the service says what time it is. */
export async function sendOnce(service: S3Service, url: string, request: S3Request): Promise<S3Answer> {
  try {
    const answer = await sendDated(service, url, request);
    const theirTime = answer.code === "RequestTimeTooSkewed" ? timeOf(answer) : undefined;
    return theirTime === undefined ? answer : await sendDated(service, url, request, theirTime);
  } catch (cause) {
    if (isCheckpointError(cause)) throw cause;
    if (isAboutCertificate(cause)) throw untrusted(new URL(url).host, cause);
    return { status: 599, headers: {}, bytes: new Uint8Array(0), cause };
  }
}

/** Not by `fetch`, which copies a body twice before it sends it. */
async function sendDated(
  { client, silenceMs }: S3Service,
  url: string,
  { method, body, headers, mostBytes = mostBytesOf("") }: S3Request,
  aws?: { readonly datetime: string },
): Promise<S3Answer> {
  // Signed with the request, so that the service refuses a body that was changed or cut off on its way.
  const hashed = { ...headers, "x-amz-content-sha256": hash("sha256", body ?? "", "hex") };
  const signed = await client
    .sign(url, { ...(method && { method }), headers: hashed, ...(aws && { aws }) })
    .catch(refuseCredentials);
  const { request } = url.startsWith("https:") ? https : http;
  const sent = request(url, {
    method: signed.method,
    headers: { ...Object.fromEntries(signed.headers), ...(body && { "content-length": body.length }) },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    timeout: silenceMs,
  });
  sent.on("timeout", () => sent.destroy(new Error("it stopped answering")));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on("response", resolve).on("error", reject);
    sent.on("close", () => reject(new Error("it hung up"))).end(body);
  });
  const bytes = await readBody(response, new URL(url).pathname, mostBytes);
  const status = response.statusCode ?? 0;
  const code = status < 300 ? undefined : /<Code>(\w{1,99})<\/Code>/.exec(Buffer.from(bytes).toString())?.[1];
  return { status, headers: response.headers, bytes, code };
}

/** Rejects if the connection ends before all of it has come. */
async function readBody(response: IncomingMessage, path: string, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > mostBytes) throw notOurs(path, "is too large");
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/** The service's clock, in the form that requests are dated by. */
function timeOf({ headers }: S3Answer): { datetime: string } | undefined {
  const time = Date.parse(headers.date ?? "");
  if (Number.isNaN(time)) return undefined;
  return { datetime: new Date(time).toISOString().replaceAll(/[:-]|\.\d{3}/g, "") };
}

/** Without the cause, whose message holds the header, and so the credential. */
function refuseCredentials(): never {
  throw new CheckpointError("usage", "The credentials for S3 hold a character that no header can hold.", {
    hint: "Look for a line break at the end of AWS_ACCESS_KEY_ID, AWS_SESSION_TOKEN or AWS_REGION.",
  });
}

/** As UNABLE_TO_VERIFY_LEAF_SIGNATURE, CERT_HAS_EXPIRED and ERR_TLS_CERT_ALTNAME_INVALID. */
const isAboutCertificate = (cause: unknown) =>
  /CERT|_SIGNATURE$/.test(String((cause as NodeJS.ErrnoException).code));

/** Not repeated: the next try gets the same certificate. */
function untrusted(host: string, cause: unknown): CheckpointError {
  const why = (cause as Error).message;
  return new CheckpointError("refused", `${host} does not prove that it is who it says: ${why}.`, {
    hint: "If your own authority signed its certificate: export NODE_EXTRA_CA_CERTS=/path/to/authority.pem",
    details: { host },
    cause,
  });
}
