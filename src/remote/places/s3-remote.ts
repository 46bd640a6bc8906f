import type { AwsClient } from "aws4fetch";

import type { Remote, Version } from "../contract.ts";
import { sendPatiently, type S3Answer } from "./s3-request.ts";
import { nothingCame, unexpected, unreachable } from "./s3-errors.ts";

export interface S3Place {
  /** `https://host[:port]` of the service, without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Before every name; empty, or with a slash at its end. */
  readonly prefix: string;
  readonly label: string;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** How often a swap is tried while the service does not say what became of it. */
const MOST_SWAPS = 5;

/** A bucket that speaks S3. `wait` is what lets time pass between two tries. */
export async function openS3Remote(
  place: S3Place,
  credentials: S3Credentials,
  wait: (ms: number) => Promise<void>,
): Promise<Remote> {
  const { AwsClient: Client } = await import("aws4fetch");
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  // It must not repeat requests itself: a swap that landed, sent again, is refused, and would count as lost.
  const client: AwsClient = new Client({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: "s3",
    region: place.region,
    retries: 0,
  });
  const base = `${place.endpoint.replace(/\/$/, "")}/${encodeURIComponent(place.bucket)}`;
  const urlOf = (name: string) =>
    `${base}/${(place.prefix + name).split("/").map(encodeURIComponent).join("/")}`;
  const send = (url: string, init: RequestInit = {}) => sendPatiently({ client, place, wait }, url, init);

  /** Ceph before version 20 compares an ETag only without its quotes. */
  let hasQuotes = true;

  const get = async (name: string) => {
    const answer = await send(urlOf(name));
    if (answer.status === 404 && !isBucketMissing(answer)) return undefined;
    if (answer.status !== 200) throw unexpected(place, answer, "reading");
    return { bytes: answer.bytes, version: etagOf(answer) };
  };

  return {
    label: place.label,
    get,
    list: async (prefix) => {
      const names: string[] = [];
      for (let token: string | undefined = ""; token !== undefined;) {
        const page = await listPage(send, place, base, { prefix, token });
        names.push(...page.names);
        token = page.next;
      }
      return names;
    },
    put: async (name, bytes) => {
      const answer = await send(urlOf(name), { method: "PUT", body: unshared(bytes) });
      if (answer.status !== 200) throw unexpected(place, answer, "writing");
    },
    compareAndSwap: async (name, bytes, from) => {
      let cause: unknown;
      for (let attempt = 1; attempt <= MOST_SWAPS; attempt++) {
        const headers = conditionOf(hasQuotes ? from : withoutQuotes(from));
        const once = { client, place, wait, mostTries: 1 };
        const answer = await sendPatiently(once, urlOf(name), {
          method: "PUT",
          body: unshared(bytes),
          headers,
        }).catch((error: unknown) => nothingCame((cause = error)));
        if (answer.status === 200) return etagOf(answer);
        const isRefused = [409, 412].includes(answer.status) || (answer.status === 404 && from !== undefined);
        if (!isRefused && answer.status < 500 && answer.status !== 429)
          throw unexpected(place, answer, "writing");
        // Refused, or nobody knows: what is there now tells whether this write, or an earlier try of it, has landed.
        const now = await get(name);
        if (now !== undefined && Buffer.from(now.bytes).equals(bytes)) return now.version;
        if (now?.version !== from) return undefined;
        if (answer.status === 412) hasQuotes = !hasQuotes;
        else await wait(100 * 2 ** attempt);
      }
      throw unreachable(place, cause);
    },
    remove: async (name) => {
      const answer = await send(urlOf(name), { method: "DELETE" });
      if (![200, 204, 404].includes(answer.status)) throw unexpected(place, answer, "deleting");
    },
  };
}

const conditionOf = (from: string | undefined): Record<string, string> =>
  from === undefined ? { "if-none-match": "*" } : { "if-match": from };

const withoutQuotes = (version: Version | undefined) => version?.replaceAll('"', "");

const etagOf = ({ headers }: S3Answer) => (headers.get("etag") ?? "") as Version;

/** A bucket that is not there must not pass for an empty one. */
const isBucketMissing = (answer: S3Answer) => answer.text().includes("<Code>NoSuchBucket</Code>");

interface ListedPage {
  readonly names: readonly string[];
  readonly next: string | undefined;
}

async function listPage(
  send: (url: string) => Promise<S3Answer>,
  place: S3Place,
  base: string,
  { prefix, token }: { prefix: string; token: string },
): Promise<ListedPage> {
  const query = new URLSearchParams({ "list-type": "2", prefix: `${place.prefix}${prefix}` });
  if (token !== "") query.set("continuation-token", token);
  const answer = await send(`${base}?${query.toString()}`);
  if (answer.status !== 200) throw unexpected(place, answer, "listing");
  const xml = answer.text();
  const names = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => unescapeXml(key));
  const isCut = /<IsTruncated>\s*true\s*<\/IsTruncated>/.test(xml);
  const next = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(xml)?.[1];
  return {
    names: names.map((name) => name.slice(place.prefix.length)),
    next: isCut && next !== undefined ? unescapeXml(next) : undefined,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function unescapeXml(text: string): string {
  return text
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replaceAll(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] as string);
}

/** Bytes to send never lie in shared memory, which a browser's types of fetch, unlike Node's, refuse. */
const unshared = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>;
