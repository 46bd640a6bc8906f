import { asList, asText, own, textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { condensed, item, listed, sentenceOf } from "./forms.ts";
import type { Item } from "./item.ts";

/** A longer message is more than a remark on the next step. */
const LONG = 280;
/** So many of the last steps tell where it was. */
const STEPS = 8;

/** What the agent said and did since the last request; and what it found, decided and reported before. */
export function agentWords(state: unknown): Item[] {
  const turns = asList(own(own(state, "activity"), "turns"));
  const current = currentTurn(state);
  return turns.flatMap((turn, index) => {
    const section = turn === current ? "since" : "findings";
    const said = asList(own(turn, "said")).flatMap((text) => asText(text) ?? []);
    const last = said.length - 1;
    const words = said.map((text, at) =>
      item({
        id: `activity.turns[${index}].said[${at}]`,
        section,
        tier: 1,
        // The last words of a turn are its result; of those before, long ones say more than what it is about to do.
        value: at === last ? 16 : text.length > LONG ? 12 : 6,
        words: text,
        fit: condensed(text),
      }),
    );
    return turn === current ? [...words, ...steps(turn, index)] : words;
  });
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
  return [item({ id: `activity.turns[${index}].steps`, section: "since", tier: 1, value: 8, words, fit })];
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
  const parts = [
    ...(question === undefined
      ? []
      : [`The agent asked, and has no answer yet: ${clip(question.trim(), 300)}`]),
    ...(question !== undefined || intention === undefined
      ? []
      : [`The agent was about to: ${clip(intention.trim(), 300)}`]),
    ...(task === undefined ? [] : [`Task in progress: ${clip(sentenceOf(task, "subject") ?? "?", 200)}`]),
    ...(failing === undefined ? [] : [`Failing: ${clip(textOf(failing, "check") ?? "?", 200)}`]),
  ];
  if (parts.length === 0) return [];
  const words = `(derived, not recorded) ${parts.map((part) => part.replace(/[.:;]$/, "")).join("; ")}`;
  return [item({ id: "next_action", section: "next_action", tier: 1, value: 50, words, origin: "tool" })];
}
