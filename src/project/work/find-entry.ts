import type { CheckpointInfo } from "../../checkpoints/document.ts";
import type { Decision, Remark } from "../../checkpoints/work-state.ts";
import { CheckpointError } from "../../errors.ts";
import { asText, textOf } from "../../text/untrusted.ts";
import { commitWork } from "../commit-work.ts";
import { meaningful } from "../sentence.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import type { REMOVE_ENTRY } from "./schemas.ts";

/** How the entries of a list are called, and where they are shown with their numbers. */
export interface ListedAs {
  readonly noun: string;
  readonly shownBy: string;
}

/** The place of the one entry that a person means: by its number, or by words that only it has. */
export function findEntry(entries: readonly unknown[], which: string, { noun, shownBy }: ListedAs): number {
  const number = /^\d+$/.test(which) ? Number(which) : undefined;
  if (number !== undefined && number >= 1 && number <= entries.length) return number - 1;
  const matches = entries.flatMap((entry, index) =>
    (asText(entry) ?? textOf(entry, "text", "what") ?? "").toLowerCase().includes(which.toLowerCase())
      ? [index]
      : [],
  );
  const [only] = matches;
  if (number === undefined && only !== undefined && matches.length === 1) return only;
  if (number === undefined && matches.length > 1) {
    throw new CheckpointError(
      "usage",
      `"${which}" could be ${matches.length} ${noun}s: ${matches.map((index) => index + 1).join(", ")}.`,
      { hint: `Give its number: ${shownBy}`, details: { which } },
    );
  }
  const what = number === undefined ? `${noun} with "${which}" in it` : `${noun} ${number}`;
  throw new CheckpointError("not-found", `There is no ${what}.`, { hint: shownBy, details: { which } });
}

export interface RemoveEntryResult {
  readonly checkpoint: CheckpointInfo | null;
  readonly removed: Remark | Decision;
  readonly left: number;
}

/** Takes the entry that a person means out of a list of the work state. */
export async function removeEntry(
  project: Project,
  list: "blockers" | "constraints" | "decisions",
  { trail, which }: InputOf<typeof REMOVE_ENTRY>,
  listed: ListedAs,
): Promise<RemoveEntryResult> {
  const wanted = meaningful(which, `The ${listed.noun}`);
  let removed: Remark | Decision | undefined;
  const { checkpoint, state } = await commitWork(project, {
    trail,
    mustExist: true,
    fresh: {},
    change: ({ [list]: entries }) => {
      [removed] = entries.splice(findEntry(entries, wanted, listed), 1);
    },
  });
  return { checkpoint, removed: removed as unknown as Remark | Decision, left: state[list].length };
}
