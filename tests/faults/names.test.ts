import { describe, expect, it } from "vitest";

import { Cairn } from "../../src/work/state/cairn.ts";
import { isCheckpointError, type Store } from "../../src/doors/library/index.ts";
import { integer, pick, randomFrom, seed, type Random } from "./support/random.ts";

const COUNT = 10_000;

/** Pieces that have broken somebody's file names, terminals, shells or databases before. */
const HOSTILE = [
  ...String.raw`.. . / // \ ../.. ..\ /etc/passwd C: \\?\ ~ ~root - -- -rf .git .lock main.lock`.split(" "),
  ...String.raw`con CON Prn aux nul NUL.txt com1 LPT9 com1.log com¹ lpt² * ? < > | " ' $(id) ; & %2e%2e %00 {} [] ^ @{ #`.split(
    " ",
  ),
  ..."\0|\n|\r|\t|\x1b[2J|\x7f|\u0085|\u2028|\ufeff|\u200b|\u202e|\ud800|\udfff| |  ".split("|"),
  ..."\u2024|\u2025|\u2026|\uff0e|\u3002|\u2044|\u2215|\uff0f|\uff3c|e\u0301|\u212b".split("|"),
  ..."__proto__ constructor toString é 日本 x main run session 1 _ + = : @".split(" "),
  "a".repeat(300),
];

/** A store that nobody may ask: a bad name must be refused before anything is read or written. */
const untouchable = new Proxy({} as Store, {
  get: (_, method) => () => {
    throw new Error(`The store was asked for ${String(method)}.`);
  },
});
const cairn = new Cairn(untouchable, () => new Date());

describe(`hostile names and ids (seed ${seed})`, () => {
  it("are refused as usage before the store is touched, and only names of the documented grammar pass", () => {
    const random = randomFrom(seed);
    const names = Array.from({ length: COUNT }, () => hostile(random));
    expect(names.map(verdictOn)).toEqual(names.map(wantedFor));
    // Both kinds must really have been tried.
    const refused = names.filter((name) => !isDocumented(name)).length;
    expect(refused).toBeGreaterThan(COUNT / 2);
    expect(COUNT - refused).toBeGreaterThan(COUNT / 100);
  });

  it("are judged alike alone, as a part, and doubled", () => {
    const names = HOSTILE.flatMap((piece) => [piece, `${piece}/x`, `x/${piece}`, `${piece}${piece}`]);
    expect(names.map(verdictOn)).toEqual(names.map(wantedFor));
  });

  it("are refused as ids too, wherever an id is taken", async () => {
    const random = randomFrom(seed + 1);
    const trail = cairn.trail("main");
    const beginnings = ["", "ckpt-", "ckpt-20260123-", "ckpt-20260123-120000-"];
    for (let count = 0; count < COUNT / 4; count++) {
      const id = pick(random, beginnings) + hostile(random);
      // What may be an id, a place in the trail or a tag is looked up.
      if (/^([0-9a-f]{4,64}|ckpt-[0-9a-f-]*|(@|latest)(~\d*)?)$/.test(id) || isName(id)) continue;
      const takers = [
        trail.load(id),
        trail.diff(id, id),
        trail.restore(id),
        trail.history({ before: id }),
        trail.fork("copy", { id }),
      ];
      const verdicts = await Promise.all(takers.map((taken) => taken.then(() => "passes", verdictOf)));
      expect([id, ...verdicts]).toEqual([id, ...takers.map(() => "usage")]);
    }
  });

  it("are refused as the name of a fork before its origin is read", async () => {
    await expect(cairn.trail("main").fork("../escape")).rejects.toMatchObject({ code: "usage" });
  });
});

/** What a tag may be called. */
function isName(text: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u.test(text);
}

function hostile(random: Random): string {
  const pieces = Array.from({ length: integer(random, 1, 4) }, () => pick(random, HOSTILE));
  return pieces.join(pick(random, ["", "", "/", "."]));
}

/** The name with what became of it, so that a failure shows which one it was. */
function verdictOn(name: string): string {
  try {
    return `${cairn.trail(name).name} passes`;
  } catch (error) {
    return `${name} ${verdictOf(error)}`;
  }
}

function wantedFor(name: string): string {
  return `${name} ${isDocumented(name) ? "passes" : "usage"}`;
}

function verdictOf(error: unknown): string {
  return isCheckpointError(error) ? error.code : String(error);
}

/**
 * The grammar as it is documented, written a second time and in another way: parts of letters, digits and
 * `_ . @ + = : ~ -` between slashes; a part begins with a letter, a digit or `_` and does not end with `.` or `:`.
 */
function isDocumented(name: string): boolean {
  if (name.length > 200 || name !== name.normalize("NFC")) return false;
  return name.split("/").every(isDocumentedPart);
}

const DEVICES = new Set(["con", "prn", "aux", "nul", "com1", "lpt1"]);

function isDocumentedPart(part: string): boolean {
  const characters = Array.from(part);
  const isWord = (character = "") => /^[\p{L}\p{N}_]$/u.test(character);
  const isAllowed = (character: string) => isWord(character) || ".@+=:~-".includes(character);
  const device =
    part
      .split(".", 1)[0]
      ?.toLowerCase()
      .replace(/[\d¹²³]$/, "1") ?? "";
  const hasGoodEnds = isWord(characters[0]) && characters.at(-1) !== "." && characters.at(-1) !== ":";
  const isReserved = DEVICES.has(device) || part.endsWith(".lock") || part.includes("..");
  return hasGoodEnds && characters.every(isAllowed) && !isReserved;
}
