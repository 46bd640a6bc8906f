import { oneLine } from "../../core/text/visible.ts";
import { shortened } from "../../core/text/shorten.ts";
import type { Explanation } from "./explain.ts";
import type { ExplainedTurn } from "./turn-of-session.ts";

type Source = Explanation["sources"][number];

const LONGEST_TEXT = 400;

/** An explanation in words. */
export function showExplanation({ about, sources }: Explanation): string {
  const nothing = "No recorded session led to it: a person made it, or it was not recorded.";
  return [...headOf(about), ...(sources.length === 0 ? ["", nothing] : sources.flatMap(sourceLines))].join(
    "\n",
  );
}

function headOf({ kind, what, commit, subject, authored_at, line }: Explanation["about"]): string[] {
  const made =
    commit === null
      ? []
      : [`commit ${commit.slice(0, 9)}  ${oneLine(subject ?? "")}  (${minute(authored_at)})`];
  if (kind === "commit") return made;
  const text = line === null ? [] : [`  ${oneLine(line)}`];
  return [`${kind} ${oneLine(what)}`, ...text, ...made];
}

function sourceLines({ certainty, how, trail, client, checkpoint_id, turns }: Source): string[] {
  const who = client === null ? trail : `${trail} (${client})`;
  return [
    "",
    `${certainty}: ${oneLine(who)}: ${oneLine(how)}`,
    ...turns.flatMap(turnLines),
    `  more      checkpoint load ${checkpoint_id}`,
  ];
}

function turnLines({ at, story }: ExplainedTurn): string[] {
  const lines = story.map(({ kind, text, by }) => {
    const from = kind === "prompt" && by !== null ? `  [${by}]` : "";
    return `    ${kind.padEnd(8)}${oneLine(shortened(text, LONGEST_TEXT))}${from}`;
  });
  return [`  ${minute(at)}`, ...lines];
}

function minute(at: string | null): string {
  return at === null ? "" : `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}
