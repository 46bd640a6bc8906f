/** What gives a reason, a verdict or a number, or asks something. */
const CUES: readonly [pattern: RegExp, score: number][] = [
  [
    /root cause|because|decided|turns out|instead of|the (?:issue|problem|bug|fix|reason|culprit) (?:is|was)|recommend|confirmed|trade-?off|not (?:a|the) /i,
    3,
  ],
  [/\?\s*$/, 3],
  [/\b(?:fail|pass|error|broken|wrong|missing|fixed|done|left|remaining|next|todo|must|should)\w*/i, 1],
  [/\d/, 1],
  // Findings come as lists.
  [/^\s*(?:\d+[.)]|[-*])\s/, 2],
  // What it did next is known, and an offer stands beside its answer.
  [
    /^(?:(?:now|first|next|good|great|ok(?:ay)?),? )?(?:let me|let's|I'll)\b|\b(?:want me to|shall I|should I|would you like)\b/i,
    -6,
  ],
  // A heading alone says little.
  [/^#|^\*\*[^*]+\*\*:?$|:$/, -2],
];
/** A rule, the line below the head of a table, or a note that something was left out. */
const EMPTY = /^[\s|:=_*-]*$|^… \[\d/;
/** Names of things: what nobody can guess. */
const NAMES = /`[^`\n]{3,80}`|\b\w*[a-z][A-Z]\w+|\b\w+_\w+|\b[\w-]+\.[a-z]{1,4}\b/g;
const MOST_NAMES = 5;

interface Piece {
  readonly text: string;
  readonly score: number;
}

/** The sentences and lines of a text that say most, in their order, within a number of characters. */
export function condense(text: string, chars: number): string {
  const pieces = piecesOf(text);
  const chosen = new Set<number>();
  let left = chars;
  const ranked = [...pieces.keys()].toSorted((a, b) => pieces[b]!.score - pieces[a]!.score || a - b);
  for (const index of ranked) {
    const length = pieces[index]!.text.length + 2;
    if (length > left) continue;
    chosen.add(index);
    left -= length;
  }
  // One sentence that is too long is still better than none.
  if (chosen.size === 0)
    return chars < 60 ? "" : `${(pieces[0]?.text ?? "").slice(0, chars - 2)} …`.toWellFormed();
  return [...chosen]
    .toSorted((a, b) => a - b)
    .map((index, at, all) => `${at > 0 && all[at - 1] !== index - 1 ? "… " : ""}${pieces[index]!.text}`)
    .join("\n");
}

/** Lines, long ones cut into sentences; of a block of code the first two lines. */
function piecesOf(text: string): Piece[] {
  const lines = withoutCode(text)
    .split("\n")
    .filter((line) => !EMPTY.test(line));
  const sentences = lines.flatMap((line) =>
    line.length > 200 ? line.split(/(?<=[^\s\d][.!?:;])\s+(?=[A-Z`*"(])/) : [line],
  );
  const last = sentences.length - 1;
  return sentences.map((sentence, index) => {
    const cues = CUES.reduce((sum, [pattern, score]) => sum + (pattern.test(sentence) ? score : 0), 0);
    const names = Math.min(MOST_NAMES, sentence.match(NAMES)?.length ?? 0);
    const place = index === 0 ? 2 : index === last ? 2 : 0;
    return { text: sentence, score: place + cues + names };
  });
}

const CODE_LINES = 2;

function withoutCode(text: string): string {
  return text.replaceAll(/```[^\n]*\n([^]*?)```/g, (_, code: string) => {
    const lines = code.split("\n").filter((line) => line.trim() !== "");
    const more = lines.length - CODE_LINES;
    return [...lines.slice(0, CODE_LINES), ...(more > 0 ? [`(${more} more lines of code)`] : [])].join("\n");
  });
}

/** Its beginning and its end: what a pasted log says last matters as much as what it begins with. */
export function bothEnds(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const room = chars - 30;
  const head = Math.floor(room * 0.62);
  const [start, end] = [text.slice(0, head), text.slice(text.length - (room - head))];
  return `${start.trimEnd()}\n… [+${text.length - room} chars] …\n${end.trimStart()}`.toWellFormed();
}
