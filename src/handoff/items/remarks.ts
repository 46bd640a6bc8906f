import type { Item } from "./item.ts";
import { asList, own, textOf } from "../../text/untrusted.ts";
import { formsOf, item, sentenceOf, worthOf } from "./forms.ts";

/** What people and agents wrote down along the way, and the checks that fail. */
export function remarks(state: unknown): Item[] {
  return [
    ...sentences(state, "instructions", 65),
    ...sentences(state, "blockers", 60),
    ...sentences(state, "checks_failing", 60),
    ...decisions(state),
    ...sentences(state, "gotchas", 24),
  ];
}

function sentences(
  state: unknown,
  section: "instructions" | "blockers" | "checks_failing" | "gotchas",
  value: number,
): Item[] {
  const tier = section === "gotchas" ? 2 : 1;
  return asList(own(state, section)).flatMap((entry, index) => {
    const words = sentenceOf(entry, "command", "check");
    if (words === undefined) return [];
    return [
      item({ id: `${section}[${index}]`, section, tier, value: worthOf(value, words), words, from: entry }),
    ];
  });
}

/** The reason is what stops the next agent from undoing a decision; without room for it, the decision alone. */
function decisions(state: unknown): Item[] {
  return asList(own(state, "decisions")).flatMap((entry, index) => {
    const what = sentenceOf(entry, "decision");
    if (what === undefined) return [];
    const why = textOf(entry, "why", "reason", "rationale");
    const words = why === undefined ? what : `${withoutStop(what)}, because: ${why}`;
    const forms = formsOf(words, what);
    const value = worthOf(42, words);
    return [
      item({ id: `decisions[${index}]`, section: "decisions", tier: 1, value, words, forms, from: entry }),
    ];
  });
}

/** By hand: a regular expression would search every run of dots and blanks again from each of its characters. */
function withoutStop(sentence: string): string {
  let end = sentence.length;
  while (/[.;\s]/.test(sentence.charAt(end - 1))) end -= 1;
  return sentence.slice(0, end);
}
