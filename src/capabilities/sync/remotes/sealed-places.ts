import { CheckpointError } from "../../../core/errors.ts";
import type { RemoteSetup } from "../setup-document.ts";
import { isRemembered, remember, type User } from "../../../work/project/remembered.ts";

/**
 * Refuses a place that is readable, or would be, although it must be sealed: because the user says so, or because this
 * machine has known it as sealed. Its owner could empty it, declare it readable, and then read whatever is pushed next.
 */
export function refuseReadable(
  user: User,
  url: string,
  { present, encrypt }: { readonly present: RemoteSetup | undefined; readonly encrypt: boolean },
): void {
  const isSealed = present === undefined ? encrypt : present.keyId !== null;
  if (isSealed) return;
  if (encrypt) throw notSealed(url);
  if (isRemembered(user, factOf(url))) throw wasSealed(url);
}

/** Outlives the remote's entry: to remove a remote and add it again must not lose this. */
export function rememberSealed(user: User, url: string): void {
  remember(user, factOf(url));
}

function factOf(url: string): readonly string[] {
  const place = new URL(url);
  place.pathname = place.pathname.replace(/\/+$/, "");
  return [place.href, "sealed"];
}

function notSealed(url: string): CheckpointError {
  return new CheckpointError("conflict", `What is at ${url} is not sealed, and cannot become so.`, {
    hint: "Use an empty place for a sealed remote: another prefix, another folder.",
    details: { url },
  });
}

function wasSealed(url: string): CheckpointError {
  return new CheckpointError("refused", `This machine has known ${url} as sealed, and now it is not.`, {
    hint: "It may have been emptied to read what you push next. Find out before you continue; a sealed remote in an empty place: checkpoint remote add NAME URL --encrypt",
    details: { url },
  });
}
