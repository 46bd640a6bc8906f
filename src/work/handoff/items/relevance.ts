import { sum } from "../compose/deal.ts";
import type { Item } from "./item.ts";
import type { SectionName } from "./sections.ts";

/** A fully relevant item is worth three times as much, plus a bonus: a mere address may be just what is needed. */
const GAIN = 2;
const BONUS = 30;
/** A task type promises its topic, so what belongs to it is worth as much as a blocker. */
const TOPIC_BONUS = 60;
const LONGEST_SEARCHED = 2000;

/** A kind of task that a briefing can be made for: what it always wants, and the words that belong to it. */
interface TaskTopic {
  readonly sections: readonly SectionName[];
  readonly ids: readonly string[];
  readonly words: string;
}

const INFRASTRUCTURE: TaskTopic = {
  sections: ["dependencies"],
  ids: ["dependencies"],
  words: `terraform ansible infrastructure infra service server host cluster network deploy deployment provision vault docker
    container kubernetes helm cloud region instance rollback`,
};
const DATABASE: TaskTopic = {
  sections: [],
  ids: ["dependencies"],
  words: `database db sql sqlite postgres postgresql mysql redis dragonfly dragonflydb query schema migration connection
    ledger transaction replica dsn`,
};
const GOVERNANCE: TaskTopic = {
  sections: ["approvals_pending"],
  ids: ["agent"],
  words: `governance promotion revocation tier agent approval approve violation policy permission gate evidence audit
    trust revoke promote breaker`,
};

/** The task types of the command line. Anything else is free text, matched by its words. */
const TOPICS: ReadonlyMap<string, TaskTopic> = new Map([
  ...["terraform", "ansible", "infrastructure"].map((name) => [name, INFRASTRUCTURE] as const),
  ...["database", "query", "ledger"].map((name) => [name, DATABASE] as const),
  ...["promotion", "revocation", "governance"].map((name) => [name, GOVERNANCE] as const),
]);

/** From this relevance on, an item comes before everything that is not essential. */
const RELEVANT = 0.3;

/** What each item is worth when the briefing is for a certain task, and whether that is what it is about. */
export function valuesFor(
  task: string,
  items: readonly Item[],
): readonly { readonly value: number; readonly isRelevant: boolean }[] {
  const topic = TOPICS.get(task.trim().toLowerCase());
  const scores = relevanceTo(task, topic, items);
  const bonus = topic === undefined ? BONUS : TOPIC_BONUS;
  return items.map(({ value, tier }, index) => ({
    value: value * (1 + GAIN * scores[index]!) + bonus * scores[index]!,
    isRelevant: tier > 0 && scores[index]! >= RELEVANT,
  }));
}

/** The relevance of each item to the task: 0 to 1. */
function relevanceTo(task: string, topic: TaskTopic | undefined, items: readonly Item[]): number[] {
  const wanted = new Set(termsOf(`${task} ${topic?.words ?? ""}`));
  const found = items.map(({ id, words }) => {
    const terms = termsOf(`${id} ${words.slice(0, LONGEST_SEARCHED)}`);
    return [...new Set(terms.filter((term) => wanted.has(term)))];
  });
  // A term that is everywhere says little; one that is in two items says a lot.
  const uses = Map.groupBy(found.flat(), (term) => term);
  const rarity = (term: string) => Math.log(1 + items.length / uses.get(term)!.length);
  const rarities = [...uses.keys()].map(rarity);
  // Any single word of a topic's long list will do; of a sentence, more matching words are better.
  const best = topic === undefined ? sum(rarities) : Math.max(1, ...rarities);
  return items.map((item, index) => {
    if (topic?.sections.includes(item.section) === true || topic?.ids.includes(item.id) === true) return 1;
    return best === 0 ? 0 : Math.min(1, sum(found[index]!.map(rarity)) / best);
  });
}

const STOP = new Set(
  "the and for with from into that this are was not but all its has have you our can".split(" "),
);

/** The words of a text without endings: `loginTests/retry.ts` has `login`, `test`, `retry`. Chinese goes by pairs. */
function termsOf(text: string): string[] {
  const words =
    text
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word))
      return pairsOf(word);
    return word.length < 3 && word !== "db" ? [] : STOP.has(word) ? [] : [stem(word)];
  });
}

function stem(word: string): string {
  return word.length > 5 ? word.replace(/(ing|ed|es|s)$/, "") : word.replace(/s$/, "");
}

function pairsOf(word: string): string[] {
  const characters = Array.from(word);
  return characters.map((character, index) => `${character}${characters[index + 1] ?? ""}`);
}
