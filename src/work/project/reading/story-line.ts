import { asList, isRecord } from "../../../core/text/untrusted.ts";
import { enumOf, fields, list, nullableText, text } from "../../verbs/json-schema.ts";
import type { WorkState } from "../../state/work-state.ts";

const KINDS = ["prompt", "said", "decided", "edit", "check", "failed", "calls"] as const;

/** Something that happened in a session. */
export interface StoryLine {
  readonly at: string;
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
  /** Who asked or decided it, where that is known. */
  readonly by: string | null;
}

export const STORY = list(fields({ at: text, kind: enumOf(...KINDS), text, by: nullableText }));

export const lineOf = (
  kind: StoryLine["kind"],
  at: string,
  told: string,
  by: string | null = null,
): StoryLine => ({ at, kind, text: told, by });

export const checkLine = (at: string, check: string, ok: boolean | null): StoryLine =>
  lineOf("check", at, `${ok === null ? "ended" : ok ? "passed" : "failed"}: ${check}`);

interface EditCounts {
  readonly path: string;
  readonly change: string;
  readonly added: number;
  readonly removed: number;
}

export const editLine = (at: string, { path, change, added, removed }: EditCounts): StoryLine =>
  lineOf("edit", at, `${path} ${change} +${added} -${removed}`);

/** What a session's state tells of it: bounded, of a long session the end. */
export function storyOfState({
  activity,
  instructions = [],
  decisions,
  goal,
  session,
}: WorkState): StoryLine[] {
  const prompts = [{ text: goal ?? "", at: undefined, by: session?.goal_by }, ...instructions];
  const lines = entriesOf(activity?.turns).flatMap(({ at, asked = "", said }) => {
    // A turn has the beginning of its prompt only; the whole of it is the goal or an instruction.
    const [beginning = ""] = asked.split("\n… [");
    const whole = prompts.find((each) => beginning !== "" && each.text.startsWith(beginning));
    const typed = prompts.find((each) => each.at === at) ?? whole ?? { text: asked, by: undefined };
    const words = asList(said).map((each) => lineOf("said", at, String(each)));
    return typed.text === "" ? words : [lineOf("prompt", at, typed.text, typed.by), ...words];
  });
  lines.push(
    ...decisions.flatMap(({ at, what, why, by }) =>
      at === undefined ? [] : lineOf("decided", at, why === undefined ? what : `${what}: ${why}`, by),
    ),
    ...entriesOf(activity?.edits).map((edit) => editLine(edit.at, edit)),
    ...entriesOf(activity?.results).flatMap(({ at, check, command, ok }) =>
      check === undefined ? (ok ? [] : lineOf("failed", at, command)) : checkLine(at, check, ok),
    ),
  );
  return inOrder(lines);
}

/** Any program may commit a state: what stands inside of its activity is not checked. */
const entriesOf = <T>(list: readonly T[] | undefined) => asList(list).filter(isRecord) as unknown as T[];

export const inOrder = (lines: readonly StoryLine[]): StoryLine[] =>
  lines.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
