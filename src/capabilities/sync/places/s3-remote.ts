import { CheckpointError } from "../../../core/errors.ts";
import { mostBytesOf, type Remote, type Version } from "../contract.ts";
import { notOurs } from "../damage.ts";
import { readListing } from "./s3-list.ts";
import { isUnclear, sendOnce, type S3Answer, type S3Request } from "./s3-request.ts";

export interface S3Place {
  /** `https://host[:port]` of the service, without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Before every name; empty, or with a slash at its end. */
  readonly prefix: string;
  readonly label: string;
  /** How long the service may send and take nothing. Half a minute, unless a test cannot wait. */
  readonly silenceMs?: number;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Of a thousand names each. A hostile service could go on for ever. */
const MOST_PAGES = 1000;

/** How often a request is sent while the service does not say what became of it. */
const MOST_TRIES = 5;

const SILENCE_MS = 30_000;

interface Request extends S3Request {
  /** For messages. */
  readonly doing: string;
  readonly expects?: readonly number[];
}

/** A bucket that speaks S3. `wait` is what lets time pass between two tries. */
export async function openS3Remote(
  place: S3Place,
  { sessionToken, ...credentials }: S3Credentials,
  wait: (ms: number) => Promise<void>,
): Promise<Remote> {
  const { label, prefix, region } = place;
  const { AwsClient: Client } = await import("aws4fetch");
  const session = sessionToken !== undefined && { sessionToken };
  // It must not repeat requests itself: a swap that landed, sent again, is refused, and would count as lost.
  const client = new Client({ ...credentials, ...session, service: "s3", region, retries: 0 });
  const service = { client, silenceMs: place.silenceMs ?? SILENCE_MS };
  const base = `${place.endpoint.replace(/\/$/, "")}/${encodeURIComponent(place.bucket)}`;
  const urlOf = (name: string) => `${base}/${(prefix + name).split("/").map(encodeURIComponent).join("/")}`;

  /** Sends a request that may be repeated, until it is answered. */
  const send = async (url: string, { doing, expects = [200], ...request }: Request): Promise<S3Answer> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await sendOnce(service, url, request);
      // A bucket that is not there must not pass for an empty one.
      if (expects.includes(answer.status) && answer.code !== "NoSuchBucket") return answer;
      if (!isUnclear(answer)) throw unexpected(label, answer, doing);
      if (attempt === MOST_TRIES) throw unreachable(label, answer);
      await wait(200 * 2 ** attempt);
    }
  };

  const get = async (name: string) => {
    const mostBytes = mostBytesOf(name);
    const answer = await send(urlOf(name), { doing: "reading", expects: [200, 404], mostBytes });
    return answer.status === 404 ? undefined : { bytes: answer.bytes, version: etagOf(answer) };
  };

  /** Ceph before version 20 compares an ETag only without its quotes. */
  let hasQuotes = true;
  const conditionOf = (from: Version | undefined): Record<string, string> =>
    from === undefined
      ? { "if-none-match": "*" }
      : { "if-match": hasQuotes ? from : from.replaceAll('"', "") };

  return {
    label,
    get,
    list: async (start) => {
      const names: string[] = [];
      const query = new URLSearchParams({ "list-type": "2", prefix: `${prefix}${start}` });
      for (let page = 0; page < MOST_PAGES; page++) {
        const answer = await send(`${base}?${query.toString()}`, { doing: "listing" });
        const { keys, next } = readListing(Buffer.from(answer.bytes).toString("utf8"));
        for (const key of keys) if (key.startsWith(prefix + start)) names.push(key.slice(prefix.length));
        if (next === undefined) return names;
        query.set("continuation-token", next);
      }
      throw notOurs(start, "has a list without end");
    },
    put: async (name, bytes) => {
      await send(urlOf(name), { doing: "writing", method: "PUT", body: bytes });
    },
    compareAndSwap: async (name, bytes, from) => {
      let answer: S3Answer | undefined;
      for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
        const headers = conditionOf(from);
        answer = await sendOnce(service, urlOf(name), { method: "PUT", body: bytes, headers });
        const { status } = answer;
        if (status === 200) return etagOf(answer);
        const isRefused = [409, 412].includes(status) || (status === 404 && from !== undefined);
        if (!isRefused && !isUnclear(answer)) throw unexpected(label, answer, "writing");
        // Refused, or nobody knows: what is there now tells whether this write, or an earlier try of it, has landed.
        const now = await get(name);
        if (now !== undefined && Buffer.from(now.bytes).equals(bytes)) return now.version;
        if (now?.version !== from) return undefined;
        if (status === 412) hasQuotes = !hasQuotes;
        else await wait(100 * 2 ** attempt);
      }
      throw unreachable(label, answer);
    },
    remove: async (name) => {
      await send(urlOf(name), { doing: "deleting", method: "DELETE", expects: [200, 204, 404] });
    },
  };
}

const etagOf = ({ headers }: S3Answer) => (headers.etag ?? "") as Version;

/** An answer that is neither what was asked for nor a lost race. A redirect is one: the request is signed for one host. */
function unexpected(remote: string, answer: S3Answer, doing: string): CheckpointError {
  const { status, code } = answer;
  const said = code === undefined ? `status ${status}` : `${code} (${status})`;
  const isRefused = status === 401 || status === 403;
  const isElsewhere = status < 400 || code === "AuthorizationHeaderMalformed";
  const region = isElsewhere ? regionIn(answer) : undefined;
  const kind = isRefused ? "refused" : status === 404 ? "not-found" : "failed";
  return new CheckpointError(kind, `${remote} answered ${said} when ${doing}.`, {
    hint: isRefused
      ? "Check the credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE."
      : region !== undefined
        ? `The bucket is in another region. Add it again with ?region=${region}`
        : "Check the bucket's name, its region and its endpoint: checkpoint remote list",
    details: { status, remote },
  });
}

/** The bucket's own region, from a header or from the body. */
function regionIn({ headers, bytes }: S3Answer): string | undefined {
  const header = /^[a-z\d-]{1,99}$/.exec(String(headers["x-amz-bucket-region"] ?? ""))?.[0];
  return header ?? /<Region>([a-z\d-]{1,99})<\/Region>/.exec(Buffer.from(bytes).toString())?.[1];
}

function unreachable(remote: string, answer: S3Answer | undefined): CheckpointError {
  const { message, code } = (answer?.cause ?? {}) as NodeJS.ErrnoException;
  // Several addresses of one host were tried: then the message is empty.
  const why = message || code || `it answered ${answer?.status}`;
  return new CheckpointError("failed", `${remote} cannot be reached: ${why}.`, {
    hint: "Everything is safe in the local store. Try again when the network is back.",
    details: { remote },
    cause: answer?.cause,
  });
}
