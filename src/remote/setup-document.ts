import * as z from "zod";

import { CheckpointError } from "../errors.ts";
import { parseJson } from "../text/untrusted.ts";
import type { Kept, Remote, Version } from "./contract.ts";

const NAME = "cairn.json";

/** What a remote says of itself, in plain JSON, so that a machine that comes later knows what it needs. */
const SETUP = z.object({
  cairn: z.literal("remote"),
  version: z.literal(1),
  /** Tells which key it is sealed with, and nothing of the key; null where everything is readable. */
  keyId: z.nullable(z.string()),
  /** The key itself, where a key that never leaves a vault has encrypted it: what that is called, and the result. */
  wrapped: z.optional(z.object({ by: z.string().regex(/^[\w-][\w.-]*$/), key: z.string() })),
});

export type RemoteSetup = Pick<z.infer<typeof SETUP>, "keyId" | "wrapped">;

/** Undefined for a remote that nobody has used yet. */
export async function readSetup(remote: Remote): Promise<(RemoteSetup & Pick<Kept, "version">) | undefined> {
  const kept = await remote.get(NAME);
  if (kept === undefined) return undefined;
  const { data } = SETUP.safeParse(parseJson(Buffer.from(kept.bytes).toString("utf8")));
  if (data !== undefined) return { ...data, version: kept.version };
  const { label } = remote;
  throw new CheckpointError("corrupt", `${label} was written by a newer version of Cairn, or is damaged.`, {
    hint: "Install the newest version. To start over, use another prefix: checkpoint remote add NAME URL",
    details: { remote: label },
  });
}

/** Says it for the first time, or anew; false if another machine was quicker. */
export async function writeSetup(
  remote: Remote,
  { keyId, wrapped }: RemoteSetup,
  from?: Version,
): Promise<boolean> {
  const setup = { cairn: "remote", version: 1, keyId, wrapped } satisfies z.infer<typeof SETUP>;
  return (await remote.compareAndSwap(NAME, Buffer.from(JSON.stringify(setup)), from)) !== undefined;
}
