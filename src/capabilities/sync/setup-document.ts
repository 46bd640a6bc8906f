import { CheckpointError } from "../../core/errors.ts";
import { asRecord, parseJson } from "../../core/text/untrusted.ts";
import type { Remote, Version } from "./contract.ts";

const NAME = "cairn.json";

/** What a remote says of itself, in plain JSON, so that a machine that comes later knows what it needs. */
export interface RemoteSetup {
  /** Tells which key it is sealed with, and nothing of the key; null where everything is readable. */
  readonly keyId: string | null;
  /** The key itself, where a key that never leaves a vault has encrypted it: what that is called, and the result. */
  readonly wrapped?: { readonly by: string; readonly key: string } | undefined;
}

/** Undefined for a remote that nobody has used yet. */
export async function readSetup(remote: Remote): Promise<(RemoteSetup & { version: Version }) | undefined> {
  const kept = await remote.get(NAME);
  if (kept === undefined) return undefined;
  const json = parseJson(Buffer.from(kept.bytes).toString("utf8"));
  if (isSetup(json)) return { keyId: json.keyId, wrapped: json.wrapped, version: kept.version };
  const { label } = remote;
  throw new CheckpointError("corrupt", `${label} was written by a newer version of Cairn, or is damaged.`, {
    hint: "Install the newest version. To start over, use another prefix: checkpoint remote add NAME URL",
    details: { remote: label },
  });
}

/** Says it for the first time, or anew; false if another machine was quicker. */
export async function writeSetup(remote: Remote, setup: RemoteSetup, from?: Version): Promise<boolean> {
  const { keyId, wrapped } = setup;
  const text = JSON.stringify({ cairn: "remote", version: 1, keyId, wrapped });
  return (await remote.compareAndSwap(NAME, Buffer.from(text), from)) !== undefined;
}

function isSetup(value: unknown): value is RemoteSetup {
  const { cairn, version, keyId, wrapped } = asRecord(value) ?? {};
  const isOurs = cairn === "remote" && version === 1 && (keyId === null || typeof keyId === "string");
  return isOurs && (wrapped === undefined || isWrapped(wrapped));
}

function isWrapped(value: unknown): boolean {
  const { by, key } = asRecord(value) ?? {};
  return typeof by === "string" && /^[\w-][\w.-]*$/.test(by) && typeof key === "string";
}
