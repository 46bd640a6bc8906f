import { type Random, seededRandom } from "../random.ts";
import { SERVICES } from "./services.ts";
import { BARE_PLACES, KEY_PLACES, PASSWORD_PLACES } from "./situations.ts";

/** A secret where it would be found. */
export interface Sample {
  /** What the sample is of, for a list of misses. */
  readonly name: string;
  readonly secret: string;
  /** The secret without the fixed characters that every key of the service begins with. */
  readonly hidden: string;
  readonly text: string;
  /** Whether the secret shows what it is, even without a name beside it. */
  readonly isTelling: boolean;
}

/** Secrets of services with the variables that hold them, and the places where keys and passwords are found. */
export interface Formats {
  readonly services: readonly (readonly [variable: string, form: string])[];
  readonly passwordPlaces: readonly string[];
  readonly keyPlaces: readonly string[];
  readonly barePlaces: readonly string[];
}

/** Rules may be tuned by what is missed in `tuning`; only `heldOut` is printed as a result. */
export type Half = "tuning" | "heldOut";

const SPLIT_SEED = 14;
const ROUNDS = 8;
/** Known to have been missed once, so no longer a fair test. */
const KNOWN =
  /CEREBRAS|LANGFUSE|ELEVENLABS|FIRECRAWL|CURSOR|ASANA|HUBSPOT|BUILDKITE|PACKAGIST|CLICKUP|openssl|mc alias|default +=|--(?:api-key|db-password|pass) |composer|http-basic/;

const SERVICE_HALVES = halves(SERVICES, ([variable]) => variable);
const KEY_PLACE_HALVES = halves(KEY_PLACES, (place) => place);
const BARE_PLACE_HALVES = halves(BARE_PLACES, (place) => place);
const PASSWORD_HALVES = halves(PASSWORD_PLACES, (place) => place);

/** The formats that were there when the rules were written, in two halves. */
export const HALVES: Readonly<Record<Half, Formats>> = { tuning: half("tuning"), heldOut: half("heldOut") };

function half(name: Half): Formats {
  return {
    services: SERVICE_HALVES[name],
    passwordPlaces: PASSWORD_HALVES[name],
    keyPlaces: KEY_PLACE_HALVES[name],
    barePlaces: BARE_PLACE_HALVES[name],
  };
}

export const countOf = ({ services, passwordPlaces }: Formats): number =>
  services.length + passwordPlaces.length;

/** The same samples for the same seed: every format in several places, with other random characters each time. */
export function samplesOf(formats: Formats, seed: number): Sample[] {
  const random = seededRandom(seed);
  const samples: Sample[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [variable, form] of formats.services) {
      const secret = fill(form, random);
      const isTelling = shows(form);
      const isBare = isTelling && round % 4 === 3;
      const place = random.pick(isBare ? formats.barePlaces : formats.keyPlaces);
      const text = place.replaceAll("@", () => variable).replace("§", () => secret);
      const hidden = secret.slice(form.indexOf("<"));
      samples.push({ name: `${variable} ${form} | ${place}`, secret, hidden, text, isTelling });
    }
    for (const place of formats.passwordPlaces) {
      const secret = fill(random.pick(PASSWORDS), random);
      const text = place.replace("§", () => secret);
      samples.push({ name: place, secret, hidden: secret, text, isTelling: false });
    }
  }
  return samples;
}

const PASSWORDS = [
  "governance<digits 4>",
  "Tr0ub4dor-<digits 3>",
  "<alnum 16>",
  "<alnum 10>!<digits 2>",
  "<lower 8><digits 3>",
  "<hex 31>7",
  "<word 24>x",
];

/** A fixed beginning of three characters, or at least 24 random ones of both cases with digits. Hexadecimal digits alone could be any hash. */
function shows(form: string): boolean {
  if (/^(?:<uuid>|<hex [0-9]+>|<lowerdigits [0-9]+>|<upperdigits [0-9]+>)/.test(form)) return false;
  const [, alphabet = "", length = ""] = /^<(\w+) ([0-9]+)>/.exec(form) ?? [];
  if (alphabet !== "") return Number(length) >= 24 && /^(?:alnum|word|base64)$/.test(alphabet);
  return /^[^<]{3}/.test(form);
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const ALNUM = UPPER + LOWER + DIGITS;
const ALPHABETS: Readonly<Record<string, string>> = {
  lower: LOWER,
  digits: DIGITS,
  hex: `${DIGITS}abcdef`,
  letters: UPPER + LOWER,
  lowerdigits: LOWER + DIGITS,
  upperdigits: UPPER + DIGITS,
  alnum: ALNUM,
  word: `${ALNUM}_-`,
  base64: `${ALNUM}+/`,
  base32: `${UPPER}234567`,
  azure: `${ALNUM}_.-`,
};

/** A form with random characters in place of `<hex 32>` and the like. */
export function fill(form: string, random: Random): string {
  return form
    .replaceAll("<uuid>", "<hex 8>-<hex 4>-4<hex 3>-a<hex 3>-<hex 12>")
    .replaceAll(/<(\w+) ([0-9]+)>/g, (_, alphabet: string, length: string) => {
      const letters = ALPHABETS[alphabet]!;
      return Array.from(
        { length: Number(length) },
        () => letters[random.integer(0, letters.length - 1)],
      ).join("");
    });
}

/** Two halves by a fixed seed; what was missed before goes into the half that rules may be tuned by. */
function halves<Item>(items: readonly Item[], nameOf: (item: Item) => string): Record<Half, Item[]> {
  const shuffled = seededRandom(SPLIT_SEED).shuffle(items);
  const fair = shuffled.filter((item) => !KNOWN.test(nameOf(item)));
  const heldOut = fair.slice(0, Math.floor(items.length / 2));
  return { heldOut, tuning: shuffled.filter((item) => !heldOut.includes(item)) };
}
