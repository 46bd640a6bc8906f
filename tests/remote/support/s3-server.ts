import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";

/** What goes wrong with a request, if anything. */
export type Fault =
  /** Takes a condition for fulfilled, whatever it says. */
  | "ignores conditions"
  /** Says after every page of a list that there is another. */
  | "list without end"
  /** Does the work and answers 500. */
  | "500 after the work"
  | "500"
  | "503"
  /** Sends half of the body and hangs up. */
  | "truncated"
  /** Does the work and hangs up without an answer. */
  | "lost answer"
  /** Takes the request, and says nothing. */
  | "silence"
  /** Announces far more than it sends, and says nothing more. */
  | "silence in the body"
  /** Knows the bucket, but in another region. */
  | "redirect"
  /** Wants requests that are signed for another region. */
  | "other region";

interface S3Request {
  readonly method: string;
  readonly key: string;
  readonly number: number;
  readonly bodyBytes: number;
}

export interface S3Server {
  readonly endpoint: string;
  /** All objects of the bucket, for tests that look at or change them. */
  readonly objects: Map<string, Uint8Array>;
  /** Every head that was ever written, the first one first. */
  readonly heads: Uint8Array[];
  readonly requests: S3Request[];
  /** Decides what goes wrong. How often each fault fired is counted. */
  faultOf: (request: S3Request) => Fault | undefined;
  readonly fired: Map<Fault, number>;
  /** Milliseconds that the server's clock is ahead. */
  skewMs: number;
  /** Compares ETags only without quotes, as Ceph did before version 20. */
  comparesUnquoted: boolean;
  close(): Promise<void>;
}

const SKEW_LIMIT_MS = 15 * 60_000;
/** Small, so that every test with a few objects needs several pages; S3 itself gives 1,000. */
const PAGE = 3;

/** A small S3 service with one bucket, `bucket`, in memory. Wrong on request. */
export async function startS3Server(
  objects = new Map<string, Uint8Array>(),
  tls?: { readonly key: Buffer; readonly cert: Buffer },
): Promise<S3Server> {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    void answer(state, request, response).catch((error: unknown) => response.destroy(error as Error));
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const state: S3Server = {
    endpoint: `${tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    heads: [],
    requests: [],
    faultOf: () => undefined,
    fired: new Map(),
    skewMs: 0,
    comparesUnquoted: false,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return state;
}

async function answer(state: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  const url = new URL(request.url ?? "/", state.endpoint);
  const [bucket = "", ...rest] = decodeURIComponent(url.pathname).slice(1).split("/");
  const key = rest.join("/");
  const number = state.requests.length + 1;
  const seen: S3Request = { method: request.method ?? "GET", key, number, bodyBytes: body.length };
  state.requests.push(seen);
  const fault = state.faultOf(seen);
  if (fault !== undefined) state.fired.set(fault, (state.fired.get(fault) ?? 0) + 1);
  const now = Date.now() + state.skewMs;
  const say = (status: number, content: string | Uint8Array = "", headers: Record<string, string> = {}) => {
    const bytes = Buffer.from(content as Uint8Array);
    response.writeHead(status, {
      date: new Date(now).toUTCString(),
      "content-length": bytes.length,
      ...headers,
    });
    if (fault === "truncated") response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    else response.end(bytes);
  };
  if (fault === "silence") return;
  if (fault === "silence in the body")
    return void response.writeHead(200, { "content-length": 5 * 1024 ** 3 }).write("a part");
  if (fault === "redirect")
    return say(301, errorText("PermanentRedirect"), { "x-amz-bucket-region": "eu-central-1" });
  if (fault === "other region")
    return say(400, errorText("AuthorizationHeaderMalformed", "<Region>eu-central-1</Region>"));
  if (fault === "500" || fault === "503") return say(Number(fault), errorText("SlowDown"));
  const refusal = refusalOf(state, request, { body, bucket, now });
  if (refusal !== undefined) return say(refusal[0], errorText(refusal[1]));
  const done = perform(state, { request, url, key, body, ignoresConditions: fault === "ignores conditions" });
  if (fault === "list without end")
    return say(200, "<IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken>");
  if (fault === "lost answer") return void response.destroy();
  if (fault === "500 after the work") return say(500, errorText("InternalError"));
  return say(...done);
}

type Done = [status: number, content?: string | Uint8Array, headers?: Record<string, string>];

function perform(
  state: S3Server,
  {
    request,
    url,
    key,
    body,
    ignoresConditions,
  }: { request: IncomingMessage; url: URL; key: string; body: Uint8Array; ignoresConditions: boolean },
): Done {
  const { objects } = state;
  if (key === "") return [200, listing(objects, url.searchParams)];
  const present = objects.get(key);
  if (request.method === "GET")
    return present === undefined ? [404, errorText("NoSuchKey")] : [200, present, { etag: etagOf(present) }];
  if (request.method === "DELETE") {
    objects.delete(key);
    return [204];
  }
  if (!ignoresConditions) {
    const { "if-match": match, "if-none-match": none } = request.headers;
    if (none === "*" && present !== undefined) return [412, errorText("PreconditionFailed")];
    if (match !== undefined && present === undefined) return [404, errorText("NoSuchKey")];
    if (match !== undefined && present !== undefined && !isMatch(state, match, present))
      return [412, errorText("PreconditionFailed")];
  }
  objects.set(key, body);
  if (key.includes("heads/")) state.heads.push(body);
  return [200, "", { etag: etagOf(body) }];
}

function isMatch({ comparesUnquoted }: S3Server, match: string, present: Uint8Array): boolean {
  const bare = etagOf(present).replaceAll('"', "");
  return comparesUnquoted ? match === bare : match.replaceAll('"', "") === bare;
}

/** What S3 checks before it looks at a request: the bucket, the clock, that it is signed, and that the body came whole. */
function refusalOf(
  _state: S3Server,
  request: IncomingMessage,
  { body, bucket, now }: { body: Uint8Array; bucket: string; now: number },
): [status: number, code: string] | undefined {
  const { authorization = "", "x-amz-date": date = "", "x-amz-content-sha256": sha256 } = request.headers;
  if (!authorization.startsWith("AWS4-HMAC-SHA256 Credential=key/")) return [403, "InvalidAccessKeyId"];
  const at = Date.parse(
    String(date).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
  if (!(Math.abs(at - now) < SKEW_LIMIT_MS)) return [403, "RequestTimeTooSkewed"];
  if (sha256 !== createHash("sha256").update(body).digest("hex")) return [400, "XAmzContentSHA256Mismatch"];
  return bucket === "bucket" ? undefined : [404, "NoSuchBucket"];
}

function listing(objects: ReadonlyMap<string, Uint8Array>, query: URLSearchParams): string {
  const prefix = query.get("prefix") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  const start = Number(query.get("continuation-token") ?? 0);
  const page = keys.slice(start, start + PAGE);
  const isCut = start + PAGE < keys.length;
  const next = isCut ? `<NextContinuationToken>${start + PAGE}</NextContinuationToken>` : "";
  const contents = page.map((key) => `<Contents><Key>${key.replaceAll("&", "&amp;")}</Key></Contents>`);
  return `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`;
}

const etagOf = (bytes: Uint8Array) => `"${createHash("md5").update(bytes).digest("hex")}"`;

const errorText = (code: string, more = "") => `<Error><Code>${code}</Code>${more}</Error>`;

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part as Uint8Array);
  return Buffer.concat(parts);
}
