import { fileURLToPath, pathToFileURL } from "node:url";

import { CheckpointError } from "../../core/errors.ts";
import type { Remote } from "./contract.ts";
import { openFileRemote } from "./places/file-remote.ts";

export interface RemoteWorld {
  /** Credentials and the region come from here, never from a project. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * Opens what a URL names: `file:///mnt/share/work` or `s3://bucket/prefix?endpoint=https://host&region=eu-west-1`.
 * Nothing is sent yet.
 */
export async function openRemote(text: string, { env, wait }: RemoteWorld): Promise<Remote> {
  const url = parseRemoteUrl(text);
  if (url.protocol === "file:") return openFileRemote(fileURLToPath(url), text);
  const { openS3Remote } = await import("./places/s3-remote.ts");
  const { s3Credentials } = await import("./places/s3-credentials.ts");
  const { hostname: bucket, searchParams } = url;
  const region = searchParams.get("region") ?? env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"] ?? "us-east-1";
  const endpoint = searchParams.get("endpoint") ?? `https://s3.${region}.amazonaws.com`;
  const path = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, "");
  const [prefix, label] = path === "" ? ["", `s3://${bucket}`] : [`${path}/`, `s3://${bucket}/${path}`];
  return openS3Remote({ endpoint, region, bucket, prefix, label }, await s3Credentials(env), wait);
}

/** Checks a remote's URL before anything is done with it. */
function parseRemoteUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw notARemote(text, "it is not a URL");
  const endpoint = url.searchParams.get("endpoint");
  const service = URL.parse(endpoint ?? "");
  if (hasSecrets(url) || (service && hasSecrets(service)))
    throw notARemote(`${url.protocol}//…`, "credentials do not belong in it; they come from the environment");
  const isFolder = url.protocol === "file:";
  const unknown = [...url.searchParams.keys()].find((name) => name !== "endpoint" && name !== "region");
  const reasons: readonly (readonly [isWrong: boolean, why: string])[] = [
    [url.hash !== "", "what follows a # is no part of it; write %23 for a #"],
    [!isDecodable(url.pathname), "a % in it stands for nothing; write %25 for a %"],
    [isFolder && url.hostname !== "", "a path on this machine begins with three slashes"],
    [isFolder && url.search !== "", "a folder has no settings; write %3F for a ?"],
    [isFolder && /%(?:2f|00)/i.test(url.pathname), "a folder's name cannot hold %2F or %00"],
    [
      isFolder && /^\/*$/.test(url.pathname),
      "it names the root of the file system; name a folder of its own",
    ],
    [url.port !== "", "a bucket has no port; its service is named by ?endpoint="],
    [!isFolder && (url.protocol !== "s3:" || url.hostname === ""), "it names no bucket and no folder"],
    [unknown !== undefined, `"${unknown}" means nothing in it`],
    [
      endpoint !== null && !/^https?:$/.test(service?.protocol ?? ""),
      "its endpoint is not an address that begins with https:// or http://",
    ],
    [/[?#]/.test(endpoint ?? ""), "its endpoint holds a ? or a #"],
    // It becomes part of the host that requests are signed for and sent to.
    [!/^[\w-]+$/.test(url.searchParams.get("region") ?? "none"), "its region is not the name of one"],
  ];
  const [, why] = reasons.find(([isWrong]) => isWrong) ?? [];
  if (why !== undefined) throw notARemote(text, why);
  return url;
}

const hasSecrets = ({ username, password }: URL) => username !== "" || password !== "";

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function notARemote(text: string, why: string): CheckpointError {
  return new CheckpointError("usage", `"${text}" cannot be a remote: ${why}.`, {
    hint: text.startsWith("/")
      ? `For this folder: ${pathToFileURL(text).href}`
      : "For example file:///mnt/share/work or s3://bucket/prefix?endpoint=https://host&region=eu-west-1",
    details: { url: text },
  });
}
