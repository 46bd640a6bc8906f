import { readdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { CollectorCommand } from "../../capture/collectors/run-collector.ts";
import { readBounded, statIfAny } from "../../machine/read-bounded.ts";
import { isInside } from "../../machine/recorded-path.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { digestOf, isRemembered, remember, type User } from "../remembered.ts";

/** How much is read of the files that commands name. More is not a script. */
interface ReadLimit {
  entriesLeft: number;
  bytesLeft: number;
}

const READ_LIMIT: Readonly<ReadLimit> = { entriesLeft: 2000, bytesLeft: 64 * 2 ** 20 };

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
  const limit = { ...READ_LIMIT };
  const files = words.flatMap((word) => digestsOf(root, resolve(root, word), limit));
  return ["collectors", root, digestOf(JSON.stringify([collectors, files]))];
}

/** Of the file of the project that a word of a command names, or of all files of a folder that it names. */
function digestsOf(root: string, path: string, limit: ReadLimit): (string | null)[] {
  if (path === root || !isInside(root, path) || limit.entriesLeft <= 0) return [null];
  limit.entriesLeft -= 1;
  if (statIfAny(path)?.isDirectory()) {
    const names = readdirSync(path).toSorted();
    return names.flatMap((name) => [name, ...digestsOf(root, join(path, name), limit)]);
  }
  const { bytes } = readBounded(path, limit.bytesLeft);
  if (bytes === undefined) return [null];
  limit.bytesLeft -= bytes.length;
  return [digestOf(bytes.toString("latin1"))];
}
