import type { Cairn } from "../../../work/state/cairn.ts";
import { trailPart } from "../../../work/sessions/session.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { type ArchivedLine, type ArchivedTranscript, partTrail, TRANSCRIPT_PREFIX } from "./archive.ts";

/** The trail of an archived transcript: by its own name, or by the session's id or its beginning. */
export async function findTranscript(cairn: Cairn, wanted: string): Promise<string> {
  const names = (await cairn.trails({ prefix: TRANSCRIPT_PREFIX })).map(({ name }) => name);
  if (names.includes(wanted)) return wanted;
  const [id = "", ...rest] = wanted.split("/");
  const sessionOf = (name: string) => name.split("/")[2] ?? "";
  const whole = names.filter(
    (name) => name.split("/").slice(2).join("/") === [trailPart(id), ...rest].join("/"),
  );
  const found =
    whole.length > 0 || rest.length > 0
      ? whole
      : names.filter((name) => name.split("/").length === 3 && sessionOf(name).startsWith(id));
  if (found.length === 1) return found[0] as string;
  if (found.length > 1) {
    throw new CheckpointError(
      "usage",
      `"${wanted}" can mean several transcripts: ${found.slice(0, 5).join(", ")}.`,
      {
        hint: "Give the whole name after --transcript.",
        details: { wanted, found: found.slice(0, 5) },
      },
    );
  }
  throw new CheckpointError("not-found", `No transcript of a session "${wanted}" is archived.`, {
    hint: "checkpoint import claude --dry-run",
    details: { wanted },
  });
}

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
