import { readFileSync } from "node:fs";

import { type Formats, HALVES } from "./samples.ts";

/**
 * Formats that no hand chose, in four sets: keys of services, drawn at random from two public catalogues of some 700 formats, a
 * fourth of the first two sets from vendors' documentation; and places of passwords, those of the last two sets drawn from a
 * public collection of examples of commands. Where a catalogue names no variable, it is the service's name with the usual
 * ending. Each set was counted before anybody looked at what is missed in it; rules were then tuned by the first three. Nothing
 * was changed after the fourth.
 */
const SETS = JSON.parse(readFileSync(new URL("drawn.json", import.meta.url), "utf8")) as Readonly<
  Record<"first" | "second" | "third" | "fourth", Formats>
>;

/** The last two sets have few places of keys, or none, of their own. */
function inOldPlaces(formats: Formats): Formats {
  const { keyPlaces, barePlaces } = HALVES.heldOut;
  return { ...formats, keyPlaces: [...formats.keyPlaces, ...keyPlaces], barePlaces };
}

/** Held out: keys of services. */
export const HELD_OUT_KEYS: Formats = { ...inOldPlaces(SETS.fourth), passwordPlaces: [] };

/** Held out: passwords in commands. */
export const HELD_OUT_PASSWORDS: Formats = { ...SETS.fourth, services: [] };

/** What the rules were tuned by. */
export const TUNING: readonly Formats[] = [SETS.first, SETS.second, inOldPlaces(SETS.third)];
