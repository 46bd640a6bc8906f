import { createHash } from "node:crypto";
import { CheckpointError } from "../../core/errors.ts";
import { trailPart } from "../../work/sessions/session.ts";
import type { SessionKey } from "./types.ts";

/** Together with the separators these stay within the length of a trail's name. */
const MAX_PART_LENGTH = 60;

/** The beginning of the names of all trails of a project. */
export function projectPrefix(projectKey: string): string {
  return `agent-sdk/${part(projectKey)}/`;
}

export function trailOfKey({ projectKey, sessionId, subpath }: SessionKey): string {
  if (subpath === "") {
    throw new CheckpointError("usage", "The subpath of a session's key is empty.", {
      hint: "Leave it out for the session's own transcript.",
    });
  }
  const session = `${projectPrefix(projectKey)}${part(sessionId)}`;
  return subpath === undefined ? session : `${session}/${part(subpath)}`;
}

function part(text: string): string {
  const name = trailPart(text);
  if (name.length <= MAX_PART_LENGTH && name !== "") return name;
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}
