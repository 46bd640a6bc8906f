import type { Cairn } from "../../checkpoints/cairn.ts";
import { type ArchivedLine, type ArchivedTranscript, partTrail } from "./archived-transcript.ts";

/** An archived transcript as the file that it was, in pieces. Lines that held secrets have their places marked. */
export async function* transcriptPieces(cairn: Cairn, trail: string): AsyncGenerator<Uint8Array> {
  for (let part = 1; ; part++) {
    const name = partTrail(trail, part);
    if (part > 1 && (await cairn.store.head(name)) === undefined) return;
    const { state } = await cairn.trail<ArchivedTranscript>(name).load();
    for (const line of state.lines) yield Buffer.concat([bytesOf(line), Buffer.from("\n")]);
    if (state.tail !== null) yield bytesOf(state.tail);
  }
}

function bytesOf(line: ArchivedLine): Buffer {
  if (typeof line === "string") return Buffer.from(line);
  if ("base64" in line) return Buffer.from(line.base64, "base64");
  return Buffer.from(JSON.stringify({ type: "too-long", ...line }));
}
