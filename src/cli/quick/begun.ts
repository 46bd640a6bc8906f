import type { StartedWorkspace } from "../../capture/git-workspace.ts";

/** A look at a project's workspace that was begun before the command itself was read. */
interface Begun {
  readonly root: string;
  readonly workspace: StartedWorkspace;
}

/** Where one file leaves it for the other: they share nothing else. */
const KEY = Symbol.for("cairn.begun");
const place = globalThis as { [KEY]?: Begun | undefined };

export function leaveBegun(begun: Begun): void {
  place[KEY] = begun;
}

/** Gives it away once, and only for the project that it is about: later it would be old. */
export function takeBegun(root: string): StartedWorkspace | undefined {
  const begun = place[KEY];
  place[KEY] = undefined;
  return begun?.root === root ? begun.workspace : undefined;
}

const EVENT_KEY = Symbol.for("cairn.event");
const eventPlace = globalThis as { [EVENT_KEY]?: Uint8Array | undefined };

/** An event that was read, but that nobody else took. */
export function leaveEvent(event: Uint8Array): void {
  eventPlace[EVENT_KEY] = event;
}

export function takeEvent(): Uint8Array | undefined {
  const event = eventPlace[EVENT_KEY];
  eventPlace[EVENT_KEY] = undefined;
  return event;
}
