import { describe, expect, it } from "vitest";

import { Cairn } from "../../src/checkpoints/cairn.ts";
import { isCheckpointError, type Store } from "../../src/index.ts";
import { integer, pick, randomFrom, seed, type Random } from "./support/random.ts";

const COUNT = 10_000;

/** Pieces that have broken somebody's file names, terminals, shells or databases before. */
const HOSTILE = [
  ...["..", ".", "/", "//", "\\", "../..", "..\\", "/etc/passwd", "C:", "\\\\?\\", "~", "~root", "-", "--", "-rf"],
  ...["\0", "\n", "\r", "\t", "\x1b[2J", "\x7f", "\u0085", "\u2028", "\ufeff", "\u200b", "\u202e", "\ud800", "\udfff"],
  ...["\u2024", "\u2025", "\u2026", "\uff0e", "\u3002", "\u2044", "\u2215", "\uff0f", "\uff3c", "e\u0301", "\u212b"],
  ...["con", "CON", "Prn", "aux", "nul", "NUL.txt", "com1", "LPT9", "com1.log", "com¹", "lpt²", ".lock", "main.lock", ".git"],
  ...[" ", "  ", "*", "?", "<", ">", "|", "\"", "'", "`", "$(id)", ";", "&", "%2e%2e", "%00", "{}", "[]", "^", "@{", "#"],
  ...["__proto__", "constructor", "toString", "a".repeat(300), "é", "日本", "x", "main", "run", "session", "1", "_", "+", "=", ":", "@"],
];

/** A store that nobody may touch: a bad name must be refused before anything is read or written. */
const untouchable = new Proxy({} as Store, {
  get: (_, method) => () => {
    throw new Error(`The store was asked for ${String(method)}.`);
  },
});
const cairn = new Cairn(untouchable, () => new Date());

describe(`hostile names and ids (seed ${seed})`, () => {
  it("are refused as usage before the store is touched, and only names of the documented grammar pass", () => {
    const random = randomFrom(seed);
    let refused = 0;
    for (let count = 0; count < COUNT; count++) {
      const name = hostile(random);
      const wanted = isDocumented(name) ? "passes" : "usage";
      expect(verdictOn(name), JSON.stringify(name)).toBe(wanted);
      if (wanted === "usage") refused++;
    }
    // Both kinds must really have been tried.
    expect(refused).toBeGreaterThan(COUNT / 2);
    expect(COUNT - refused).toBeGreaterThan(COUNT / 100);
  });

  it.each(HOSTILE)("give the same verdict alone and as a part: %j", (piece) => {
    for (const name of [piece, `${piece}/x`, `x/${piece}`, `${piece}${piece}`]) {
      expect(verdictOn(name), JSON.stringify(name)).toBe(isDocumented(name) ? "passes" : "usage");
    }
  });

  it("are refused as ids too, wherever an id is taken", async () => {
    const random = randomFrom(seed + 1);
    const trail = cairn.trail("main");
    for (let count = 0; count < COUNT / 4; count++) {
      const id = pick(random, ["", "ckpt-", "ckpt-20260123-", "ckpt-20260123-120000-"]) + hostile(random);
      if (/^([0-9a-f]{4,64}|ckpt-[0-9a-f-]*)$/.test(id)) continue;
      for (const take of [
        () => trail.load(id),
        () => trail.diff(id, id),
        () => trail.restore(id),
        () => trail.history({ before: id }),
        () => trail.fork("copy", { id }),
      ]) {
        await expect(take(), JSON.stringify(id)).rejects.toMatchObject({ code: "usage" });
      }
    }
  });

  it("are refused as the name of a fork before its origin is read", async () => {
    await expect(cairn.trail("main").fork("../escape")).rejects.toMatchObject({ code: "usage" });
  });
});

function hostile(random: Random): string {
  const pieces = Array.from({ length: integer(random, 1, 4) }, () => pick(random, HOSTILE));
  return pieces.join(pick(random, ["", "", "/", "."]));
}

function verdictOn(name: string): string {
  try {
    expect(cairn.trail(name).name).toBe(name);
    return "passes";
  } catch (error) {
    return isCheckpointError(error) ? error.code : String(error);
  }
}

/**
 * The grammar as it is documented, written a second time and in another way: parts of letters, digits and
 * `_ . @ + = : ~ -` between slashes; a part begins with a letter, a digit or `_` and does not end with `.` or `:`.
 */
function isDocumented(name: string): boolean {
  if (name.length > 200 || name !== name.normalize("NFC")) return false;
  return name.split("/").every((part) => {
    const characters = [...part];
    const isWord = (character = "") => /^[\p{L}\p{N}_]$/u.test(character);
    const isAllowed = (character: string) => isWord(character) || ".@+=:~-".includes(character);
    const stem = part.split(".")[0]?.toLowerCase().replace(/[\d¹²³]$/, "1");
    return (
      isWord(characters[0]) &&
      characters.every(isAllowed) &&
      ![".", ":"].includes(characters.at(-1) as string) &&
      !part.includes("..") &&
      !part.endsWith(".lock") &&
      !["con", "prn", "aux", "nul", "com1", "lpt1"].includes(stem ?? "")
    );
  });
}
