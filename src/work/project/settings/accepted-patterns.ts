import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { ExtraPattern } from "../../../core/redaction/redactor.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { digestOf, isRemembered, remember, type User } from "../remembered.ts";

/**
 * What a pattern matches is gone for good, so one that came with a repository could destroy all that is saved: a project's
 * patterns count once this user has accepted exactly these, in this folder.
 */
export function areAccepted(user: User, configFile: string, patterns: readonly ExtraPattern[]): boolean {
  return patterns.length === 0 || isRemembered(user, factsOf(configFile, patterns));
}

/** Records that this user wants the project's patterns. */
export function acceptPatterns(user: User, configFile: string, patterns: readonly ExtraPattern[]): void {
  remember(user, factsOf(configFile, patterns));
}

export function notAccepted(configFile: string, patterns: readonly ExtraPattern[]): string {
  const names = patterns.map(({ name }) => oneLine(name)).join(", ");
  const [are, them] = patterns.length === 1 ? ["pattern is", "it"] : ["patterns are", "them"];
  return `"${configFile}": its redaction ${are} NOT applied until you accept ${them} (${names}). Read ${them}, then: checkpoint config --accept-patterns`;
}

function factsOf(configFile: string, patterns: readonly ExtraPattern[]): string[] {
  return ["redaction patterns", realpathSync(dirname(configFile)), digestOf(JSON.stringify(patterns))];
}
