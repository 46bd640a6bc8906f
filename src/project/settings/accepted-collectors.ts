import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { CollectorCommand } from "../../capture/collectors/run-collector.ts";
import { readBounded } from "../../capture/files/read-bounded.ts";
import { isInside } from "../../capture/files/recorded-path.ts";
import { oneLine } from "../../text/visible.ts";
import { digestOf, isRemembered, remember, type User } from "../remembered.ts";

/** A larger file is not a script. */
const MAX_PROGRAM_BYTES = 64 * 2 ** 20;
/** More files than this of a folder are not a program. */
const MOST_FILES = 2000;

/**
 * A collector runs a program, so one that came with a repository counts once this user has accepted exactly this command,
 * in this folder, with the files of the project that it names as they are: whoever changes a script changes what is run.
 */
export function areCollectorsAccepted(
  user: User,
  configFile: string,
  collectors: readonly CollectorCommand[],
): boolean {
  return collectors.length === 0 || isRemembered(user, factsOf(configFile, collectors));
}

/** Records that this user wants the project's collectors to run. */
export function acceptCollectors(
  user: User,
  configFile: string,
  collectors: readonly CollectorCommand[],
): void {
  remember(user, factsOf(configFile, collectors));
}

export function collectorsNotAccepted(configFile: string, collectors: readonly CollectorCommand[]): string {
  const names = collectors.map(({ name }) => oneLine(name)).join(", ");
  const [are, them] = collectors.length === 1 ? ["collector does", "it"] : ["collectors do", "them"];
  return `"${configFile}": its ${are} NOT run until you accept ${them}, or accept ${them} again after a change (${names}). Read ${them}, then: checkpoint config --accept-collectors`;
}

function factsOf(configFile: string, collectors: readonly CollectorCommand[]): string[] {
  const root = realpathSync(dirname(configFile));
  const words = collectors
    .flatMap(({ command }) => command)
    .flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
  const files = words.flatMap((word) => digestsOf(root, resolve(root, word), { left: MOST_FILES }));
  return ["collectors", root, digestOf(JSON.stringify([collectors, files]))];
}

/** Of the file of the project that a word of a command names, or of all files of a folder that it names. */
function digestsOf(root: string, path: string, files: { left: number }): (string | null)[] {
  if (path === root || !isInside(root, path) || files.left <= 0) return [null];
  const names = namesIn(path);
  if (names !== undefined)
    return names.flatMap((name) => [name, ...digestsOf(root, join(path, name), files)]);
  files.left -= 1;
  const { bytes } = readBounded(path, MAX_PROGRAM_BYTES);
  return [bytes === undefined ? null : digestOf(bytes.toString("latin1"))];
}

/** The names in a folder; undefined if it is none. Links are not followed into others. */
function namesIn(path: string): string[] | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  return readdirSync(path).toSorted();
}
