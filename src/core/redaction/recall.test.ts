import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json } from "../objects/json.ts";
import { createRedactor } from "./redactor.ts";

/*
 * How many of a few hundred synthetic secrets are caught, each in four encodings. The corpus describes them piece by
 * piece, and only here they are put together, so that no scanner takes this repository for a leak.
 */

type Random = () => number;

interface Corpus {
  /** Token formats as their vendors describe them. `<hex 32>` stands for 32 random hexadecimal digits. */
  readonly tokens: Readonly<Record<string, readonly string[]>>;
  /** Keys of services that mark theirs with nothing: only their looks give them away. */
  readonly random: readonly (readonly string[])[];
  /** What people choose as passwords, and what generators make. */
  readonly passwords: readonly (readonly string[])[];
  /** Where a password gives itself away only by what stands around it. `§` is the password. */
  readonly places: readonly string[];
}

const CORPUS = JSON.parse(readFileSync(new URL("recall.corpus.json", import.meta.url), "utf8")) as Corpus;

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const ALNUM = UPPER + LOWER + DIGITS;
const ALPHABETS: Readonly<Record<string, string>> = {
  lower: LOWER,
  digits: DIGITS,
  nonzero: "123456789",
  hex: `${DIGITS}abcdef`,
  letters: UPPER + LOWER,
  lowerdigits: LOWER + DIGITS,
  upperdigits: UPPER + DIGITS,
  alnum: ALNUM,
  word: `${ALNUM}_-`,
  base64: `${ALNUM}+/`,
  base32: `${UPPER}234567`,
  bech32: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
  azure: `${ALNUM}_.-`,
  printable: `${ALNUM}!@#%^*_`,
};

interface Sample {
  readonly name: string;
  readonly secret: string;
  /** The secret in its surroundings, as it would appear in a note or in the output of a command. */
  readonly text: string;
  readonly isToken: boolean;
}

const SENTENCES = [
  "We used § to deploy; it worked.",
  "key (§) expired",
  "> §\n",
  'found "§" in the log',
  "header=§,",
  "\u001B[32m§\u001B[0m",
];
const KEYS = [
  "api_key",
  "GITHUB_TOKEN",
  "db-password",
  "clientSecret",
  "authorization",
  "privateKey",
  "accessToken",
  "credential",
];

function samples(seed: number): Sample[] {
  const random = mulberry32(seed);
  const build = (pieces: readonly string[]) => pieces.map((piece) => fill(piece, random)).join("");
  const inSentence = (name: string, pieces: readonly string[], isToken: boolean): Sample => {
    const secret = build(pieces);
    return { name, secret, text: pick(SENTENCES, random).replace("§", () => secret), isToken };
  };
  const inPlace = (place: string): Sample => {
    const secret = build(pick(CORPUS.passwords, random));
    return { name: place, secret, text: place.replace("§", () => secret), isToken: false };
  };
  // Twice each, with other random characters.
  return [0, 1].flatMap(() => [
    ...Object.entries(CORPUS.tokens).map(([name, pieces]) => inSentence(name, pieces, true)),
    ...CORPUS.random.map((pieces) => inSentence(pieces.join(""), pieces, false)),
    ...CORPUS.places.map(inPlace),
  ]);
}

/** The four ways in which a secret reaches a state. */
const ENCODINGS: Record<string, (sample: Sample, random: Random) => { state: Json; hidden: string }> = {
  raw: ({ text, secret }) => ({ state: { notes: text }, hidden: secret }),
  "under a key": ({ secret }, random) => ({
    state: { variables: { [pick(KEYS, random)]: secret } },
    hidden: secret,
  }),
  "JSON in JSON": ({ text, secret }) => ({
    state: { output: JSON.stringify({ lines: [{ text }], more: JSON.stringify({ text: `line\n${text}` }) }) },
    hidden: JSON.stringify(secret).slice(1, -1),
  }),
  base64: ({ text, secret, isToken }) => {
    const hidden = Buffer.from(isToken ? secret : text).toString("base64");
    return { state: { output: `data: ${hidden} (end)` }, hidden };
  },
};

function missed(encoding: string, seed: number): { all: readonly Sample[]; missed: readonly Sample[] } {
  const random = mulberry32(seed);
  const redactor = createRedactor();
  const all = samples(seed);
  const leaks = all.filter((sample) => {
    const { state, hidden } = (ENCODINGS[encoding] ?? unknown)(sample, random);
    const result = texts(redactor.redact(state).value);
    // Its last characters must be gone, too, not only enough to break it up.
    return [hidden, sample.secret, sample.secret.slice(-8)].some((part) =>
      result.some((text) => text.includes(part)),
    );
  });
  return { all, missed: leaks };
}

describe("recall", () => {
  const seeds = [1, 2, 3];

  it("has at least 200 secrets in each of the four encodings", () => {
    expect(samples(1).length).toBeGreaterThanOrEqual(200);
    expect(Object.keys(ENCODINGS)).toHaveLength(4);
  });

  it("catches every token of a known format in plain text", () => {
    const names = seeds.flatMap((seed) =>
      missed("raw", seed)
        .missed.filter(({ isToken }) => isToken)
        .map(({ name }) => name),
    );
    expect(names).toEqual([]);
  });

  it("catches at least 95 % over all encodings", () => {
    let total = 0;
    let caught = 0;
    for (const encoding of Object.keys(ENCODINGS)) {
      const results = seeds.map((seed) => missed(encoding, seed));
      const count = results.reduce((sum, { all }) => sum + all.length, 0);
      const misses = results.flatMap((result) => result.missed);
      console.log(`recall, ${encoding}: ${count - misses.length} of ${count}`, [
        ...new Set(misses.map(({ name }) => name)),
      ]);
      total += count;
      caught += count - misses.length;
    }
    expect(caught / total).toBeGreaterThanOrEqual(0.95);
  });
});

function fill(piece: string, random: Random): string {
  const [, alphabet = "", length = ""] = /^<(\w+) (\d+)>$/.exec(piece) ?? [];
  const letters = ALPHABETS[alphabet];
  if (letters === undefined) return piece;
  return Array.from({ length: Number(length) }, () => pick(letters.split(""), random)).join("");
}

function texts(value: Json): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T;
}

function unknown(): never {
  throw new Error("no such encoding");
}

/** A small generator of numbers that are the same for the same seed. */
function mulberry32(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
