import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../../work/machine/read-bounded.ts";
import type { Governance } from "../gate/governance.ts";
import { noteOf } from "../state/apply-entry.ts";
import type { EntryOf } from "../state/entry.ts";
import { assertOwn, refuseLinks } from "../../../core/store/private-files.ts";
import { writePrivate } from "../../../core/store/write-private.ts";
import { parseJson, textOf } from "../../../core/text/untrusted.ts";
import { cut } from "../../../core/text/cut.ts";
import type { Project } from "../../../work/project/project.ts";
import { undecidedFolder } from "./open-governance.ts";

// Tool calls that were denied because the gate could not decide, or not record it: one file each, until the ledger can be
// written again.

const MOST_FILES = 1000;
const AT_ONCE = 100;
const LARGEST_BYTES = 4096;
const LONGEST = 300;

/** What was denied, and why it is not in the ledger. */
export interface Undecided {
  readonly agent: string;
  readonly what: string;
}

/** Keeps it for the ledger. What cannot be kept either is not kept: the call is denied in any case. */
export function keepUndecided(project: Project, { agent, what }: Undecided): void {
  const folder = undecidedFolder(project);
  const at = project.now().toISOString();
  try {
    refuseLinks(project.root, join(folder, "any"));
    if (existsSync(folder) && readdirSync(folder).length >= MOST_FILES) return;
    const name = `${at.replaceAll(/[^\dTZ]/g, "")}-${randomUUID()}.json`;
    const text = JSON.stringify({ at, agent: cut(agent, LONGEST), what: cut(what, LONGEST) });
    writePrivate(join(folder, name), text);
  } catch {
    // See above.
  }
}

/** Records what was kept, once. It is nobody's violation: the gate was late, not the agent. */
export async function recordUndecided(project: Project, governance: Governance): Promise<void> {
  const folder = undecidedFolder(project);
  try {
    refuseLinks(project.root, join(folder, "any"));
    assertOwn(folder);
    const files = readdirSync(folder)
      .filter((name) => /^[\w-]+\.json$/.test(name))
      .toSorted()
      .slice(0, AT_ONCE)
      .map((name) => ({ name, path: join(folder, name) }));
    const entries = files.flatMap(({ name, path }) => entryOf(name, path) ?? []);
    if (entries.length > 0)
      await governance.append(({ state }) => entries.filter((entry) => !state.noted.includes(noteOf(entry))));
    for (const { path } of files) rmSync(path, { force: true });
  } catch {
    // They stay where they are, for the next one who can write.
  }
}

function entryOf(name: string, path: string): EntryOf<"violation"> | undefined {
  const kept = parseJson(readBounded(path, LARGEST_BYTES).bytes?.toString("utf8") ?? "");
  const [at, agent, what] = [textOf(kept, "at"), textOf(kept, "agent"), textOf(kept, "what")];
  if (at === undefined || agent === undefined || what === undefined) return undefined;
  // The name tells two that say the same apart, and the same one that two processes found.
  return {
    type: "violation",
    at,
    agent: "unknown",
    rule: "gate-undecided",
    what: `${agent}: ${what} (${name.slice(0, -".json".length)})`,
  };
}
