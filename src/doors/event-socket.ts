import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../work/machine/environment.ts";
import { CLIENTS } from "../work/clients/clients.ts";

/** The longest path of a socket that every system accepts. */
const LONGEST_PATH = 100;

/** With these, others could replace our socket with their own. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * The socket on which a running server takes a project's events, so that hooks need not open the store. Undefined if the
 * folder is a link, belongs to another user or is writable by others, or if its path is too long. `userId` is undefined
 * on systems without user ids; their folders cannot be checked.
 */
export function eventSocket(folder: string, userId: number | undefined): string | undefined {
  const path = join(folder, "events.sock");
  if (Buffer.byteLength(path) > LONGEST_PATH) return undefined;
  const found = lstatSync(folder, { throwIfNoEntry: false });
  const isPrivate = found?.isDirectory() && isOwn(found, userId) && !isWritableByOthers(found, userId);
  return isPrivate ? path : undefined;
}

/** The same, if this user's socket is there: its owner sees prompts, and can write into the agent's context. */
export function socketOfServer(folder: string, userId: number | undefined): string | undefined {
  const path = eventSocket(folder, userId);
  const found = path === undefined ? undefined : lstatSync(path, { throwIfNoEntry: false });
  return found?.isSocket() && isOwn(found, userId) ? path : undefined;
}

function isOwn({ uid }: Stats, userId: number | undefined): boolean {
  return userId === undefined || uid === userId;
}

function isWritableByOthers({ mode }: Stats, userId: number | undefined): boolean {
  return userId !== undefined && (mode & WRITABLE_BY_OTHERS) !== 0;
}

/** The variables that events need. Nothing else of the environment, credentials above all, is handed over. */
const VARIABLES = [
  "HOME",
  "USERPROFILE",
  "CHECKPOINT_TRAIL",
  ...Object.values(CLIENTS).flatMap((client) => [
    ...(client.homeVariables ?? []),
    ...(client.sessionVariables ?? []),
    ...[client.pidVariable, client.folderVariable].filter((name) => name !== undefined),
  ]),
];

export function eventEnvironment(env: Environment): Environment {
  return Object.fromEntries(
    VARIABLES.filter((name) => env[name] !== undefined).map((name) => [name, env[name]]),
  );
}

/**
 * What the server says first. A hook sends nothing before it has read this: a server that is suspended takes
 * connections, too, and would save the event once it wakes, long after the hook has done so.
 */
export const READY = "\n";

/** What a hook sends before the event itself: one line of JSON. */
export interface EventRequest {
  /** Of the program: another version may have another format. */
  readonly version: string;
  /** The event's random name: should the hook save it as well, it is saved once. */
  readonly id: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly parentPid: number;
  readonly client?: string | undefined;
  /** How many bytes of the event follow. */
  readonly bytes: number;
}

/** What the hook should print: one line of JSON. */
export interface EventReply {
  readonly stdout: string;
  readonly stderr: string;
}
