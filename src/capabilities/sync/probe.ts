import { CheckpointError } from "../../core/errors.ts";
import type { Remote, Version } from "./contract.ts";

/**
 * Proves, with writes that must be refused, that a remote honours conditions. Many servers that speak S3 answer "200 OK"
 * to a condition that does not hold; with those, two machines would overwrite each other's heads.
 */
export async function assertConditionsHold(remote: Remote, random: () => string): Promise<void> {
  const name = `probes/${random()}`;
  const write = (text: string, from?: Version) => remote.compareAndSwap(name, Buffer.from(text), from);
  const first = await write("first");
  try {
    if (first === undefined) throw conditionsIgnored(remote, "it refused to create a new object");
    if ((await write("again")) !== undefined)
      throw conditionsIgnored(remote, "it created an object that was there");
    const second = await write("second", first);
    if (second === undefined) throw conditionsIgnored(remote, "it refused a change whose condition held");
    if ((await write("stale", first)) !== undefined)
      throw conditionsIgnored(remote, "it accepted a stale change");
  } finally {
    await remote.remove(name);
  }
}

function conditionsIgnored({ label }: Remote, why: string): CheckpointError {
  const what = `${label} does not honour conditional writes (${why}), so two machines could overwrite each other's trails.`;
  return new CheckpointError("refused", what, {
    hint: "If only this machine will ever push to it: checkpoint remote add … --unsafe-single-writer",
    details: { remote: label },
  });
}
