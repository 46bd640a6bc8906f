import { asList, asText, own, textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { type Piece, piecesOf } from "./condense.ts";
import { condensed, item, listed, sentenceOf } from "./forms.ts";
import type { Item } from "./item.ts";

/** So many of the last steps tell where it was. */
const STEPS = 8;

/** What the agent said and did since the last request; and what it found, decided and reported before. */
export function agentWords(state: unknown): Item[] {
  const turns = asList(own(own(state, "activity"), "turns"));
  const current = currentTurn(state);
  const news = newsOnly(asList(own(state, "instructions")).at(-1));
  // The newest first: what was said again later is told there.
  const items = [...turns.entries()].toReversed().flatMap(([index, turn]) => {
    const said = asList(own(turn, "said")).flatMap((text) => asText(text) ?? []);
    const last = said.length - 1;
    const words = [...said.entries()].toReversed().flatMap(([at, text]) => {
      const all = piecesOf(text);
      const fresh = news(all);
      if (fresh.length === 0) return [];
      const told = fresh.length === all.length ? text : fresh.map((piece) => piece.text).join("\n");
      return [
        item({
          id: `activity.turns[${index}].said[${at}]`,
          section: turn === current ? "since" : "findings",
          tier: 1,
          // The last words of a turn are its result.
          value: turn === current ? 1 : at === last ? 1.4 : 0.9,
          words: told,
          ...condensed(told, fresh),
        }),
      ];
    });
    return turn === current ? [...steps(turn, index), ...words] : words;
  });
  return items.toReversed();
}

/** So many words in a row that were said before are a repetition. */
const RUN = 4;
/** A sentence with less that is new was said before. */
const NEW = 0.3;
/** What a sentence is still worth if none of its names is new. */
const KNOWN = 0.55;

/**
 * A filter for what is told from the newest to the oldest: sentences that were said again later are left out, and those
 * about the same things count less.
 */
function newsOnly(request: unknown): (pieces: readonly Piece[]) => Piece[] {
  const runs = new Set<string>();
  const names = new Set<string>();
  const fresh = (seen: Set<string>, all: readonly string[]) => {
    const found = all.filter((each) => !seen.has(each));
    for (const each of found) seen.add(each);
    return all.length === 0 ? 1 : found.length / all.length;
  };
  const news = (pieces: readonly Piece[]) =>
    pieces.flatMap((piece) => {
      const words = piece.text.toLowerCase().match(/[\w.-]+/g) ?? [];
      const inRow = new Set(words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(" ")));
      if (fresh(runs, [...inRow]) < NEW) return [];
      return [{ ...piece, score: piece.score * (KNOWN + (1 - KNOWN) * fresh(names, piece.names)) }];
    });
  for (const text of [textOf(request, "text"), textOf(request, "answers")]) news(piecesOf(text ?? ""));
  return news;
}

/** The last turn, if it belongs to the last request: after a new one it is what that request answers. */
function currentTurn(state: unknown): unknown {
  const turn = asList(own(own(state, "activity"), "turns")).at(-1);
  const asked = textOf(turn, "asked");
  const prompt = sentenceOf(asList(own(state, "instructions")).at(-1) ?? own(state, "goal"));
  if (turn === undefined || asked === undefined || prompt === undefined) return turn;
  return prompt.slice(0, 40) === asked.slice(0, 40) ? turn : undefined;
}

function steps(turn: unknown, index: number): Item[] {
  const all = asList(own(turn, "steps"))
    .flatMap((step) => asText(step) ?? [])
    .slice(-STEPS);
  if (all.length === 0) return [];
  const words = all.join("; ");
  // The newest first, so that these stay when there is little room.
  const fit = listed("last steps, newest first: ", all.toReversed());
  return [item({ id: `activity.turns[${index}].steps`, section: "since", tier: 1, value: 0.8, words, fit })];
}

const INTENTION =
  /\b(?:let me|I'll|I will|I need to|I should|next,? I|now I|I'm going to|going to|need to)\b/i;

/** What comes next where nobody recorded it: a question that waits, what the agent meant to do, a task, a failing check. */
export function derivedNextAction(state: unknown): Item[] {
  const said = asList(own(currentTurn(state), "said"))
    .flatMap((text) => asText(text) ?? [])
    .at(-1);
  const task = asList(own(state, "tasks")).find((each) => textOf(each, "status") === "in_progress");
  const failing = asList(own(own(state, "activity"), "results")).findLast(
    (result) =>
      own(result, "ok") === false &&
      textOf(result, "check") !== undefined &&
      textOf(result, "passed_since") === undefined,
  );
  const sentences = (said ?? "").split(/(?<=[.!?:])\s+|\n+/).filter((each) => each.trim() !== "");
  const question = sentences.findLast((sentence) => sentence.trimEnd().endsWith("?"));
  const intention = sentences.findLast((sentence) => INTENTION.test(sentence));
  const [what] = [
    ...(question === undefined
      ? []
      : [`The agent asked, and has no answer yet: ${clip(question.trim(), 300)}`]),
    ...(intention === undefined ? [] : [`The agent was about to: ${clip(intention.trim(), 300)}`]),
    ...(task === undefined ? [] : [`Task in progress: ${clip(sentenceOf(task, "subject") ?? "?", 200)}`]),
    ...(failing === undefined ? [] : [`Failing: ${clip(textOf(failing, "check") ?? "?", 200)}`]),
  ];
  if (what === undefined) return [];
  const words = `(derived, not recorded) ${what.replace(/[.:;]$/, "")}`;
  return [item({ id: "next_action", section: "next_action", tier: 1, value: 50, words, origin: "tool" })];
}
