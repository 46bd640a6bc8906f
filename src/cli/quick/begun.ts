import type { StartedWorkspace } from "../../capture/git/git-workspace.ts";

/** A look at a project's workspace that was begun before the command itself was read. */
interface Begun {
  readonly root: string;
  readonly workspace: StartedWorkspace;
}

const looks = placeFor<Begun>("cairn.begun");
const events = placeFor<Uint8Array>("cairn.event");

export function leaveBegun(begun: Begun): void {
  looks.leave(begun);
}

/** Gives it away only for the project that it is about. */
export function takeBegun(root: string): StartedWorkspace | undefined {
  const begun = looks.take();
  return begun?.root === root ? begun.workspace : undefined;
}

/** An event that was read, but that nobody else took. */
export function leaveEvent(event: Uint8Array): void {
  events.leave(event);
}

export function takeEvent(): Uint8Array | undefined {
  return events.take();
}

/** Where one quick file leaves something for another, once: they share nothing else, and later it would be old. */
function placeFor<Left>(name: string): { leave: (left: Left) => void; take: () => Left | undefined } {
  const key = Symbol.for(name);
  const place = globalThis as { [key]?: Left | undefined };
  return {
    leave: (left) => void (place[key] = left),
    take: () => {
      const left = place[key];
      place[key] = undefined;
      return left;
    },
  };
}
