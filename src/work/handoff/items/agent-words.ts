import { asList, asText, own, textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { piecesOf } from "./condense.ts";
import { condensed, item, present, sentenceOf } from "./forms.ts";
import type { Item } from "./item.ts";
import { newsOnly } from "./news-only.ts";

/** What the agent said and did since the last request; and what it found, decided and reported before. */
export function agentWords(state: unknown): Item[] {
  const turns = asList(own(own(state, "activity"), "turns"));
  const current = currentTurn(state);
  const news = newsOnly(asList(own(state, "instructions")).at(-1));
  // The newest first: what was said again later is told there.
  const items = [...turns.entries()].toReversed().flatMap(([index, turn]) => {
    const said = present(asList(own(turn, "said")).map(asText));
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
          // The last words of a turn are its result.
          value: turn === current ? 1 : at === last ? 1.4 : 0.9,
          words: told,
          ...condensed(told, fresh),
        }),
      ];
    });
    return words;
  });
  return items.toReversed();
}

/** The last turn, if it belongs to the last request: after a new one it is what that request answers. */
function currentTurn(state: unknown): unknown {
  const turn = asList(own(own(state, "activity"), "turns")).at(-1);
  const asked = textOf(turn, "asked");
  const prompt = sentenceOf(asList(own(state, "instructions")).at(-1) ?? own(state, "goal"));
  if (turn === undefined || asked === undefined || prompt === undefined) return turn;
  return prompt.slice(0, 40) === asked.slice(0, 40) ? turn : undefined;
}

/** How much of a question is told, with what there is to choose from. */
const LONGEST_NEXT = 450;

/** The question that a message ends with, and the lines before it that say what there is to choose from. */
function openQuestion(said: string): string | undefined {
  const lines = present(said.split("\n").map(asText));
  const at = lines.findLastIndex((line) => line.replace(/[*_`)]+$/, "").endsWith("?"));
  // What comes long before the end was a way to say something.
  if (at < 0 || at < lines.length - 3) return undefined;
  const told = [
    lines[at]!.replaceAll("**", "")
      .split(/(?<=[.!?:])\s+(?=\S)/)
      .at(-1)!,
  ];
  for (const line of lines.slice(0, at).toReversed()) {
    if (
      !/^(?:[-*]|\d+[.)]|\*\*|[A-D][.):])|:\**$/.test(line) ||
      told.join(" ").length + line.length > LONGEST_NEXT
    )
      break;
    told.unshift(line.replaceAll("**", ""));
  }
  return told.join(" ");
}

const INTENTION =
  /\b(?:let me|I'll|I will|I need to|I should|next,? I|now I|I'm going to|going to|need to)\b/i;

/** A shorter sentence needs the one before it. */
const SHORT = 60;

/** The last sentence that says what it meant to do. */
function intention(said: string): string | undefined {
  const sentences = present(said.split(/(?<=[.!?:])\s+|\n+/).map(asText));
  const at = sentences.findLastIndex((sentence) => INTENTION.test(sentence));
  if (at < 0) return undefined;
  return sentences.slice(sentences[at]!.length < SHORT && at > 0 ? at - 1 : at, at + 1).join(" ");
}

/** What comes next where nobody recorded it: a question that waits, what the agent meant to do, a task, a failing check. */
export function derivedNextAction(state: unknown): Item[] {
  const said = asText(asList(own(currentTurn(state), "said")).at(-1)) ?? "";
  const task = asList(own(state, "tasks")).find((each) => textOf(each, "status") === "in_progress");
  const failing = asList(own(own(state, "activity"), "results")).findLast(
    (result) =>
      own(result, "ok") === false && own(result, "passed_since") === undefined && own(result, "check"),
  );
  const candidates: readonly (readonly [label: string, words: string | undefined])[] = [
    ["The agent asked, and has no answer yet", openQuestion(said)],
    ["The agent was about to", intention(said)],
    ["Task in progress", sentenceOf(task, "subject")],
    ["Failing", textOf(failing, "check")],
  ];
  const [label, what] = candidates.find(([, words]) => words !== undefined) ?? [];
  if (what === undefined) return [];
  const words = `(derived) ${label}: ${clip(what, LONGEST_NEXT).replace(/[.:;]$/, "")}`;
  return [item({ id: "next_action", section: "next_action", value: 50, words, origin: "tool" })];
}
