import { shellWord } from "../../../core/text/shell-word.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { cut } from "../../../core/text/cut.ts";
import type { SuggestionRule } from "../rule.ts";

const LEAST = 3;
const LONGEST_WORDS = 80;

/** Three times a person refused a call and said why, and at least once in words that hold for later sessions too. */
export const refusals: SuggestionRule = {
  id: "refused-again",
  about: "Words that refuse a call reach one session. A rule reaches all of them, from their start.",
  find: ({ state, trail }) => {
    const told = (state.instructions ?? []).filter(
      ({ answers, text }) => answers?.startsWith("refused:") === true && !isQuestion(text),
    );
    const last = told.findLast(({ text }) => STANDING.test(text));
    if (last === undefined || told.length < LEAST) return [];
    const words = cut(oneLine(last.text), LONGEST_WORDS);
    return [
      {
        key: "",
        reason: `Calls were refused ${told.length} times, once with "${words}". If that holds for later sessions too, make it a rule: checkpoint rule "…".`,
        command: `checkpoint sessions show ${shellWord(trail.replace("session/", ""))}`,
        evidence: told.map(({ text, at }) => ({ what: text, at })),
      },
    ];
  },
};

/** Most words that refuse are about the one call: these are about how to work. */
const STANDING =
  /\b(?:never|always|from now on|without asking|unless|must(?: not|n't)?|stop|(?:did not|didn't) (?:say|ask)|(?<!why )(?:don't|do not))\b/i;

const isQuestion = (text: string) => text.trim().endsWith("?");
