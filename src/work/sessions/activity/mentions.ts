import type { Activity, NameInPlay } from "../../state/activity.ts";

const MOST_REFERENCES = 60;
const MOST_NAMES = 240;
const MOST_SCANNED = 6000;
/** What a mention counts once another text was read. */
const FADING = 0.97;

/** Exact values. What git prints of a commit is recorded as one. */
const REFERENCES: readonly RegExp[] = [
  /(?<=Switched to (?:a new )?)branch '[^']{1,100}'/g,
  /https?:\/\/[\w.-]+\/[\w./-]+\/(?:pull|issues|merge_requests|commit|issue|releases\/tag)\/(?!new\b)[\w.-]*\w/g,
  /(?<![\w-])(?!UTF-|SHA-|ISO-)[A-Z][A-Z0-9]{1,9}-\d{1,6}(?![\w-])/g,
  /(?<![\w&])#\d{1,6}\b/g,
  /(?<![\w.-])v\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?\b/g,
  /\b(?:localhost|127\.0\.0\.1):\d{2,5}\b/g,
  /(?<![\w.])\d{8,12}(?![\w.])/g,
  /(?<![\w-])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,12}(?![\w-])/g,
  /(?<=[\s`'"])--[a-z][a-z-]{3,30}\b/g,
];

/** Notes the branches, commits, pull requests, issues, versions, ports and flags that a text names; the newest last. */
export function noteReferences(activity: Activity, text: string): void {
  const scanned = text.slice(0, MOST_SCANNED);
  const found = REFERENCES.flatMap((pattern) => scanned.match(pattern) ?? []);
  const fresh = found.map((each) => each.replaceAll("'", ""));
  if (fresh.length > 0) noteAll(activity, fresh);
}

export function noteBranch(activity: Activity, branch: string): void {
  noteAll(activity, [`branch ${branch.slice(0, 100)}`]);
}

function noteAll(activity: Activity, fresh: readonly string[]): void {
  const others = activity.references.filter((each) => !fresh.includes(each));
  activity.references = [...others, ...new Set(fresh)].slice(-MOST_REFERENCES);
}

/** Not those of plain letters, which most are. */
const WORD = /(?![A-Z]?[a-z]+(?![\w.\-/]))[A-Za-z_][\w.\-/]{4,80}/g;
/** Humps, underscores, extensions, dashes: what people only write in names. */
const NAME = /[a-z][A-Z]|_|\.[a-z]{1,4}$|-[a-z]+-/;

/** The identifiers and file names that texts mention; older mentions fade. */
export class NamesInPlay {
  readonly #known: Map<string, NameInPlay & { text: number }>;
  #texts = 0;

  constructor(names: readonly NameInPlay[]) {
    this.#known = new Map(names.map((each) => [each.name, { ...each, text: 0 }]));
  }

  note(text: string, weight = 1): void {
    const found = countNames(text.slice(0, MOST_SCANNED)).keys();
    this.#texts += 1;
    for (const name of found) {
      const before = this.#known.get(name);
      const faded = before === undefined ? 0 : this.#weightOf(before);
      this.#known.set(name, { name, weight: faded + weight, text: this.#texts });
    }
  }

  #weightOf({ weight, text }: { weight: number; text: number }): number {
    return weight * FADING ** (this.#texts - text);
  }

  list(): NameInPlay[] {
    return Array.from(this.#known.values(), ({ text, weight, ...each }) => {
      return { ...each, weight: Math.round(this.#weightOf({ weight, text }) * 1000) / 1000 };
    })
      .toSorted((a, b) => b.weight - a.weight)
      .slice(0, MOST_NAMES);
  }
}

function countNames(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const word of text.match(WORD) ?? []) {
    const whole = word.replace(/[.\-/]+$/, "");
    const name = whole.slice(whole.lastIndexOf("/") + 1);
    if (name.length >= 6 && NAME.test(name)) found.set(name, (found.get(name) ?? 0) + 1);
  }
  return found;
}

const MOST_READ = 8 * 1024;
const MOST_REPEATED = 40;

/** The identifiers that occur more than once in what was read, the most frequent first. A secret occurs once. */
export function repeatedNames(content: string): string[] {
  return [...countNames(content.slice(0, MOST_READ))]
    .filter(([name, count]) => count > 1 && name.length <= 40 && !/\d{4}/.test(name))
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MOST_REPEATED)
    .map(([name]) => name);
}
