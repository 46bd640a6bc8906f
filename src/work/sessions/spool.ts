import { createHash } from "node:crypto";
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBounded } from "../machine/read-bounded.ts";
import { assertOwn, makePrivateFolder, refuseLinks, syncFolder } from "../../core/store/private-files.ts";
import { asRecord, own, parseJson, textOf } from "../../core/text/untrusted.ts";
import { writeAtomically } from "../machine/write-atomically.ts";
import type { SessionEvent } from "./events/session-event.ts";

// Events that could not be saved in time, one file each, until the store can be written again. A file is whole or not
// there, and everything in it went through redaction; a second save of the same event is recognised by its id.

const MOST_FILES = 1000;
const MOST_BYTES = 64 * 1024 * 1024;
const LARGEST_FILE = 16 * 1024 * 1024;

/** The fields of a payload that are still needed once its content was read. */
const KEPT_FIELDS = ["source", "trigger"];

/** Keeps an event that cannot be saved now. Returns whether it is durable. */
export function spoolEvent(folder: string, { id, at, hook, content, git }: SessionEvent): boolean {
  const spool = join(folder, "spool");
  const fields = Object.fromEntries(
    KEPT_FIELDS.filter((name) => hook.fields[name] !== undefined).map((name) => [name, hook.fields[name]]),
  );
  const text = JSON.stringify({ id, at, facts: content, git, event: { ...hook, fields } });
  try {
    assertOurs(folder, folder);
    const { files, bytes } = countSpooled(folder);
    if (files >= MOST_FILES || bytes + text.length > MOST_BYTES || text.length > LARGEST_FILE) return false;
    makePrivateFolder(spool);
    assertOurs(folder, spool);
    const name = `${prefixOf(hook.sessionId)}-${at.replaceAll(/[^\dTZ]/g, "")}-${id}`;
    writeAtomically(folder, join(spool, `${name}.json`), text, { mode: 0o600 });
    syncFolder(spool);
    return true;
  } catch {
    return false;
  }
}

/** A spooled event, and how to forget it once it is saved. */
interface WaitingEvent {
  readonly event: SessionEvent;
  readonly forget: () => void;
}

/** The events that wait, of one session or of all, each session's in order. Files that cannot be read are left there. */
export function waitingEvents(folder: string, sessionId?: string): WaitingEvent[] {
  const prefix = sessionId === undefined ? "" : `${prefixOf(sessionId)}-`;
  return namesIn(folder)
    .filter((name) => name.startsWith(prefix))
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, "spool", name);
      const event = readSpooled(parseJson(readBounded(path, LARGEST_FILE).bytes?.toString("utf8") ?? ""));
      return event === undefined ? [] : [{ event, forget: () => rmSync(path, { force: true }) }];
    });
}

/** How many events wait, how large they are together, and when the newest was written. */
export function countSpooled(folder: string): { files: number; bytes: number; newest: Date | undefined } {
  const found = namesIn(folder).flatMap(
    (name) => lstatSync(join(folder, "spool", name), { throwIfNoEntry: false }) ?? [],
  );
  const newestMs = Math.max(0, ...found.map(({ mtimeMs }) => mtimeMs));
  const bytes = found.reduce((sum, { size }) => sum + size, 0);
  return { files: found.length, bytes, newest: newestMs === 0 ? undefined : new Date(newestMs) };
}

function namesIn(folder: string): string[] {
  const spool = join(folder, "spool");
  try {
    assertOurs(folder, spool);
    return readdirSync(spool).filter((name) => /^[\w-]+\.json$/.test(name));
  } catch {
    return [];
  }
}

/** A link could lead anywhere, and another user's folder is not ours to read or write. */
function assertOurs(folder: string, path: string): void {
  refuseLinks(dirname(folder), path);
  for (const each of new Set([folder, path])) assertOwn(each);
}

function prefixOf(sessionId: string): string {
  return createHash("sha256").update(sessionId).digest("hex").slice(0, 16);
}

function readSpooled(value: unknown): SessionEvent | undefined {
  const [event, facts] = [own(value, "event"), asRecord(own(value, "facts"))];
  const isWhole =
    [textOf(value, "id"), textOf(value, "at")].every(Boolean) &&
    ["client", "name", "moment", "sessionId"].every((name) => textOf(event, name) !== undefined) &&
    asRecord(own(event, "fields")) !== undefined &&
    facts !== undefined;
  if (!isWhole) return undefined;
  const { id, at, git } = value as SessionEvent;
  // A file may have come with the project: what the transcript tells is read from the transcript.
  return { id, at, git, hook: event as SessionEvent["hook"], content: { ...facts, activity: undefined } };
}
