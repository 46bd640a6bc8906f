import type { Item } from "./item.ts";
import type { SectionName } from "./sections.ts";

/** How much more a fully relevant item is worth. */
const GAIN = 2;
const LONGEST_SEARCHED = 2000;

/** A kind of task that the briefing can be made for: what it always wants, and the words that betray it. */
interface Topic {
  readonly sections: readonly SectionName[];
  readonly ids: readonly string[];
  readonly words: string;
}

const INFRASTRUCTURE: Topic = {
  sections: ["dependencies"],
  ids: ["dependencies"],
  words: `terraform ansible infrastructure infra service server host cluster node network deploy deployment provision
    vault docker container kubernetes helm cloud region instance endpoint health available unavailable rollback`,
};
const DATABASE: Topic = {
  sections: [],
  ids: ["dependencies"],
  words: `database db sql sqlite postgres postgresql mysql redis dragonfly dragonflydb query table schema migration index
    connection endpoint ledger transaction row replica pool dsn`,
};
const GOVERNANCE: Topic = {
  sections: ["approvals_pending"],
  ids: ["agent"],
  words: `governance promotion revocation tier agent approval approve violation policy permission gate evidence audit
    ledger trust revoke promote breaker role`,
};

/** The task types of the command line. Anything else is free text, matched by its words. */
const TOPICS: ReadonlyMap<string, Topic> = new Map([
  ["terraform", INFRASTRUCTURE],
  ["ansible", INFRASTRUCTURE],
  ["infrastructure", INFRASTRUCTURE],
  ["database", DATABASE],
  ["query", DATABASE],
  ["ledger", DATABASE],
  ["promotion", GOVERNANCE],
  ["revocation", GOVERNANCE],
  ["governance", GOVERNANCE],
]);

/** By how much each item's value grows when the briefing is for a certain task: 1 to 3. */
export function relevanceTo(task: string): (items: readonly Item[]) => readonly number[] {
  const topic = TOPICS.get(task.trim().toLowerCase());
  const wanted = new Set(termsOf(`${task} ${topic?.words ?? ""}`));
  return (items) => {
    const found = items.map((item) => matches(item, wanted));
    const rarity = rarityOf(found, items.length);
    // A topic's word list is long and any one of its words will do; of a sentence, more words match better.
    const best = topic === undefined ? sum([...rarity.values()]) : Math.max(1, ...rarity.values());
    return items.map((item, index) => {
      if (topic?.sections.includes(item.section) || topic?.ids.includes(item.id)) return 1 + GAIN;
      const score = sum([...found[index]!].map((term) => rarity.get(term)!));
      return best === 0 ? 1 : 1 + GAIN * Math.min(1, score / best);
    });
  };
}

function matches(item: Item, wanted: ReadonlySet<string>): Set<string> {
  const text = `${item.id} ${item.words.slice(0, LONGEST_SEARCHED)}`;
  return new Set(termsOf(text).filter((term) => wanted.has(term)));
}

/** A term that is everywhere says little; one that is in two items says a lot. */
function rarityOf(found: readonly Set<string>[], total: number): Map<string, number> {
  const frequency = new Map<string, number>();
  for (const terms of found) for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  return new Map([...frequency].map(([term, count]) => [term, Math.log(1 + total / count)]));
}

const STOP = new Set("the and for with from into that this are was not but all its has have you our can".split(" "));

/** The words of a text without endings: `loginTests/retry.ts` has `login`, `test`, `retry`. Chinese goes by pairs. */
function termsOf(text: string): string[] {
  const words = text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word)) return pairsOf(word);
    return word.length < 3 && word !== "db" ? [] : STOP.has(word) ? [] : [stem(word)];
  });
}

function stem(word: string): string {
  return word.length > 5 ? word.replace(/(ing|ed|es|s)$/, "") : word.replace(/s$/, "");
}

function pairsOf(word: string): string[] {
  const characters = [...word];
  if (characters.length < 2) return [word];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
