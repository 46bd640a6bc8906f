import { clip } from "../../../core/text/visible.ts";

/** What makes a sentence worth telling to somebody who comes later, or not. */
const CUES: readonly [pattern: RegExp, score: number][] = [
  // A reason, a decision or a verdict.
  [
    /root cause|because|caused by|stems? from|impact|verdict|conclusion|decided|decision|skip(?:ped|ping)?\b|reject\w*|chose\b|dropped|turns out|instead of|rather than|\b(?:issue|problem|bug|fix|reason|culprit|blocker|solution|plan|answer|cause|goal|difference)\b ?(?:is|was|here|:|—)|recommend|confirmed|trade-?off|that's why|due to|rules? out/i,
    4,
  ],
  [/\b(?:means?|explains?|why|trigger\w*|prevents?|therefore|so|only|without|unless|but)\b|→/i, 1],
  [
    /\b(?:fail|pass|error|broke|wrong|missing|fixed|remain|must|never|always|cannot|can't|don't|doesn't|not)/i,
    1,
  ],
  [/\d/, 1],
  [/\b\d[\d.,]* ?(?:ms|s|min|%|[kMG]B|files|lines|tests|times)\b/, 1],
  // What it did next is known, and an offer stands beside its answer.
  [
    /^(?:(?:now|first|next|good|great|perfect|ok(?:ay)?|so)[,.:]? )*(?:let me|let's|I'll|I will|I need to|need to|check|add|update|run|read|look)\b|\b(?:want me to|shall I|should I|would you like|do you want)\b/i,
    -6,
  ],
  [/\?$/, -3],
  // What it introduces was left out.
  [/:$/, -6],
  // "Found it." says nothing.
  [/^[^`]{0,24}$/, -4],
];
/** A rule, the line below the head of a table, or a note that something was left out. */
const EMPTY = /^[\s|:=_*-]*$|^… \[\d/;
/** Names of things: what nobody can guess. */
const NAMES = /`[^`\n]{3,80}`|\b\w*[a-z][A-Z]\w+|\b\w+_\w+|\b[\w-]+\.[a-z]{1,4}\b|\b[0-9a-f]{7,40}\b/g;
const MOST_NAMES = 3;

/** A part of a text that makes sense by itself, and how much it says for its length. */
export interface Piece {
  readonly text: string;
  readonly score: number;
}

/** A longer line is cut into sentences. */
const LONG = 140;
/** A sentence that never ends is cut. */
const LONGEST = 400;
/** A longer line is no mere introduction of the next one. */
const LONGEST_LEAD = 110;

/** The entries of a list belong together, up to this length. */
const LONGEST_LIST = 220;
/** A longer block is code; a line is a command. */
const CODE = /```[^\n]*\n([^]*?)(?:```|$)/g;

/** Words that only begin a sentence. */
const OPENER =
  /^(?:(?:now|so|good|great|perfect|excellent|ok(?:ay)?|wait|ah|hmm|actually|also|right|exactly|got it|i (?:can )?see(?: that| now)?|(?:great|good) (?:question|catch|point|idea)|here's (?:what happen(?:s|ed)|the insight|why)|you're (?:absolutely )?right)\b[\s,.!:–—-]*)+(?=\S{2})/i;
/** What a sentence can do without: emphasis, signs, the marks around what is a name anyway. */
const SPARE: readonly [pattern: RegExp, instead: string][] = [
  [/\*\*|[✅❌🎉]+ ?/gu, ""],
  [/`([\w./()*:-]*(?:[a-z][A-Z]|[_.()/])[\w./()*:-]*)`/g, "$1"],
];

/** What a text can be cut into: sentences, and lists with the line that introduces them; without blocks of code. */
export function piecesOf(text: string): Piece[] {
  const pieces: string[] = [];
  let lead = "";
  let isInList = false;
  const told = text.replaceAll(CODE, (_, code: string) =>
    code.trim().includes("\n") ? "" : `\`${code.trim()}\``,
  );
  for (const line of told.split("\n").filter((each) => !EMPTY.test(each))) {
    const row = /^\s*\|(.*)\|\s*$/.exec(line)?.[1]?.trim();
    const words = row ?? line.trim().replace(/^#+ |^[-*] /, "");
    const isEntry = row !== undefined || /^\s*(?:[-*]|\d+[.)]) /.test(line);
    if (isEntry && isInList && lead === "" && pieces.at(-1)!.length + words.length < LONGEST_LIST) {
      pieces.push(`${pieces.pop()!}${/^\d/.test(words) ? " " : "; "}${words}`);
    } else if (words.length <= LONGEST_LEAD && /^#|^\*\*[^*]+\*\*$|:\**$/.test(line.trim())) {
      lead = words.replace(/:?\**$/, ":");
      isInList = isEntry;
    } else {
      const [first = "", ...rest] = sentencesOf(words);
      pieces.push(lead === "" ? first : `${lead} ${first}`, ...rest);
      lead = "";
      isInList = isEntry;
    }
  }
  return pieces.map(pieceOf);
}

function sentencesOf(line: string): string[] {
  if (line.length <= LONG || line.includes(" | ")) return [line];
  return line.split(/(?<=[^\s\d][.!?;]\**)\s+(?=[\p{Lu}`"(*])|(?<=[。！？])/u);
}

function pieceOf(words: string): Piece {
  const told = SPARE.reduce(
    (text, [pattern, instead]) => text.replaceAll(pattern, instead),
    words.replace(OPENER, ""),
  );
  const text = clip(told.trim(), LONGEST);
  const names = words.match(NAMES) ?? [];
  const cues = CUES.reduce((sum, [pattern, score]) => sum + (pattern.test(text) ? score : 0), 0);
  // What the agent itself emphasized.
  const weight = 1 + cues + Math.min(MOST_NAMES, names.length) + (words.includes("**") ? 1.5 : 0);
  return { text, score: (weight * 10) / Math.sqrt(text.length + 80) };
}

/** The pieces that say most, in their order, within a number of characters. */
export function condense(pieces: readonly Piece[], chars: number): string {
  const chosen = new Set<number>();
  // There is no mark before the first.
  let left = chars + PIECE_MARKS;
  for (const index of [...pieces.keys()].toSorted((a, b) => pieces[b]!.score - pieces[a]!.score || a - b)) {
    const length = pieces[index]!.text.length + PIECE_MARKS;
    if (length > left || pieces[index]!.score <= 0) continue;
    chosen.add(index);
    left -= length;
  }
  return [...chosen]
    .toSorted((a, b) => a - b)
    .map((index, at, all) => `${at > 0 && all[at - 1] !== index - 1 ? "… " : ""}${pieces[index]!.text}`)
    .join(" ");
}

/** What stands before a piece: a blank, and a mark if something was left out. */
export const PIECE_MARKS = 3;
