import { clip, oneLine } from "../../core/text/visible.ts";
import { shortened } from "../../core/text/shorten.ts";
import type { Explanation } from "./explain.ts";

type Source = Explanation["sources"][number];
type Turn = Source["turns"][number];

const LONGEST_ASKED = 400;
const LONGEST_SAID = 320;
const MOST_SAID = 2;

/** An explanation in words. */
export function showExplanation({ about, sources }: Explanation): string {
  const nothing = "No recorded session led to it: a person made it, or it is older than the records.";
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

function turnLines({ at, asked, said, decided, checks, files }: Turn): string[] {
  const by = asked?.by ?? "";
  const from = by === "" ? "" : `  [${by}]`;
  return [
    `  ${minute(at)}`,
    ...row("asked", asked === null ? [] : [`${shortened(asked.text, LONGEST_ASKED)}${from}`]),
    ...row(
      "said",
      said.slice(-MOST_SAID).map((text) => clip(text, LONGEST_SAID)),
    ),
    ...row(
      "decided",
      decided.map(({ what, why }) => (why === null ? what : `${what}: ${why}`)),
    ),
    ...row(
      "checks",
      checks.map(({ check, ok }) => `${check}: ${ok ? "passed" : "failed"}`),
    ),
    ...row("files", files.length === 0 ? [] : [files.join(", ")]),
  ];
}

function row(title: string, texts: readonly string[]): string[] {
  return texts.map((text, index) => `    ${(index === 0 ? title : "").padEnd(8)}${oneLine(text)}`);
}

function minute(at: string | null): string {
  return at === null ? "" : `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}
