import { CheckpointError } from "../../core/errors.ts";
import { partsOf, tokensOf } from "./index/spread.ts";

/** What was typed, as the index takes it. */
export interface SearchQuery {
  /** Everything must be there; empty if nothing that could be found was typed. */
  readonly all: string;
  /** Any of it, without words that are everywhere: `isCommon` says which are. */
  readonly any: (isCommon: (word: string) => boolean) => string;
  /** The words to look up where nothing is found, and to mark in what is: in lower case. */
  readonly words: readonly string[];
  /** Whether a text is a question that says no more than what was typed: it answers nothing, and an agent has often just been asked it. */
  readonly isEcho: (text: string) => boolean;
  /** Whether a text that the index found has any of the words itself, or only stands behind one that has. */
  readonly isIn: (text: string) => boolean;
}

const MOST_CHARS = 2_000;
const MOST_TERMS = 40;
/** So many rare words say enough without common ones, which take the most time. */
const FEW_TERMS = 3;

/** Words that say nothing in a question. */
const STOP = new Set(
  "a about all also am an and any are as at be been but by can did do does for from had has have how i if in into is it its me my no not of on or our please should so than that the their them then there they this to up us was we were what when where which who why will with would you your".split(
    " ",
  ),
);

/** A phrase in quotes, `file:` with what follows, or what stands between blanks. */
const TERM = /(?<file>file:)?(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/g;

/**
 * Reads what was typed. Nothing in it is taken for the index's own language: every word is quoted.
 *
 * `"refresh token"` is a phrase, `refr*` a prefix, `file:auth.ts` something about this file; an identifier is found in
 * all ways of writing it.
 */
export function readQuery(typed: string): SearchQuery {
  if (typed.length > MOST_CHARS)
    throw new CheckpointError(
      "usage",
      `The query has ${typed.length} characters, where ${MOST_CHARS} are the most.`,
      {
        hint: "Search for the few words that matter.",
      },
    );
  const terms = [...typed.matchAll(TERM)].slice(0, MOST_TERMS).flatMap(({ groups = {} }) => {
    const text = groups["phrase"] ?? groups["word"] ?? "";
    const column = groups["file"] === undefined ? "" : "file : ";
    const tokens = tokensOf(text);
    if (tokens.length === 0) return [];
    const isPrefix = groups["word"]?.endsWith("*") === true;
    const ways = groups["phrase"] === undefined ? waysToWrite(tokens) : [tokens.join(" ")];
    const exact = `${column}(${ways.map((way) => `"${way}"${isPrefix ? "*" : ""}`).join(" OR ")})`;
    const isStop = column === "" && groups["phrase"] === undefined && tokens.every(isStopWord);
    const stem = column === "" && !isPrefix && tokens.length === 1 ? stemOf(String(tokens[0])) : undefined;
    const loose = stem === undefined ? exact : `(${exact} OR "${stem}"*)`;
    return [
      {
        exact,
        loose,
        isStop,
        isFilter: column !== "",
        words: tokens.map((token) => token.toLowerCase()),
        parts: tokens.flatMap(partsOf),
      },
    ];
  });
  const telling = terms.some(({ isStop }) => !isStop) ? terms.filter(({ isStop }) => !isStop) : terms;
  const filters = telling.filter(({ isFilter }) => isFilter).map(({ exact }) => exact);
  const optional = telling.filter(({ isFilter }) => !isFilter);
  const roots = telling.flatMap(({ parts }) => parts.map((part) => plain(stemOf(part) ?? part)));
  return {
    all: telling.map(({ exact }) => exact).join(" AND "),
    // A file that was named must be it; only words are optional.
    any: (isCommon) => {
      const rare = optional.filter(({ words }) => words.length > 1 || !isCommon(String(words[0])));
      const loose = (rare.length >= FEW_TERMS ? rare : optional).map((term) => term.loose);
      return [...filters, ...(loose.length > 0 ? [`(${loose.join(" OR ")})`] : [])].join(" AND ");
    },
    words: [...new Set(telling.flatMap(({ words }) => words))],
    isEcho: (text) => {
      const rest = tokensOf(text).filter((token) => !isStopWord(token));
      return (
        text.trimEnd().endsWith("?") &&
        rest.every((token) => roots.some((root) => plain(token).startsWith(root)))
      );
    },
    isIn: (text) => {
      const inPlain = plain(text);
      return roots.some((root) => inPlain.includes(root));
    },
  };
}

/** As the tokenizer keeps it. */
export const plain = (word: string): string => word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

const isStopWord = (token: string) => STOP.has(token.toLowerCase());

/** `refreshToken`, `refresh_token` and `refreshtoken` are one name. */
function waysToWrite(tokens: readonly string[]): string[] {
  const parts = tokens.flatMap(partsOf);
  return [
    ...new Set([tokens.join(" "), parts.join(" "), tokens.length > 1 ? tokens.join("") : tokens.join(" ")]),
  ];
}

const ENDING = /(?:ations?|ing|ions?|ers?|ed|es|s|e)$/;

/** What plain English words of a family begin with; undefined for what is no such word. */
function stemOf(word: string): string | undefined {
  if (!/^[a-z]{5,}$/i.test(word)) return undefined;
  const stem = word.toLowerCase().replace(ENDING, "");
  return stem.length >= 4 ? stem : undefined;
}
