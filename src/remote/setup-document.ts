import { CheckpointError } from "../errors.ts";
import { isRecord } from "../text/untrusted.ts";
import type { Remote } from "./contract.ts";

/** What a remote says of itself, so that a machine that comes later knows what it needs. */
export interface RemoteSetup {
  /** Tells which key it is sealed with, and nothing of the key; null where everything is readable. */
  readonly keyId: string | null;
}

const NAME = "cairn.json";
const VERSION = 1;

/** Undefined for a remote that nobody has used yet. */
export async function readSetup(remote: Remote): Promise<RemoteSetup | undefined> {
  const kept = await remote.get(NAME);
  if (kept === undefined) return undefined;
  const { version, keyId } = parse(kept.bytes);
  if (version !== VERSION || (keyId !== null && typeof keyId !== "string")) throw unknownFormat(remote);
  return { keyId };
}

/** Says it for the first time; false if another machine was quicker. */
export async function writeSetup(remote: Remote, { keyId }: RemoteSetup): Promise<boolean> {
  const bytes = Buffer.from(JSON.stringify({ cairn: "remote", version: VERSION, keyId }));
  return (await remote.compareAndSwap(NAME, bytes, undefined)) !== undefined;
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function unknownFormat({ label }: Remote): CheckpointError {
  return new CheckpointError("corrupt", `${label} was written by a newer version of Cairn, or is damaged.`, {
    hint: "Install the newest version. To start over, use another prefix: checkpoint remote add NAME URL",
    details: { remote: label },
  });
}
