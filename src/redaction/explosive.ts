/** A repeat that has no fixed number: `*`, `+`, `{2,}`, `{2,5}`. A `?` decides once and costs little. */
const VARIABLE_REPEAT = /^(?:[*+]|\{([0-9]+),([0-9]*)\})/;

interface GroupTraits {
  hasRepeat: boolean;
  hasAlternatives: boolean;
}

/**
 * Why a regular expression could take exponential time, in words, or undefined if nothing obvious says so.
 *
 * Stricter than necessary: `(?:foo|bar)+` is refused as well, because telling it from `(?:a|a)+` takes more than a look
 * at its text. What passes may still be slow in proportion to the square of a line, which a user can afford.
 */
export function explosiveBecause(source: string): string | undefined {
  const groups: GroupTraits[] = [{ hasRepeat: false, hasAlternatives: false }];
  let afterUnbounded = false;
  for (let index = 0; index < source.length;) {
    const character = source.charAt(index);
    if (/^\\(?:[1-9]|k<)/.test(source.slice(index, index + 3))) return "it refers back to a group";
    if (character === "(") groups.push({ hasRepeat: false, hasAlternatives: false });
    if (character === "|") groups.at(-1)!.hasAlternatives = true;
    const atomEnd = endOfAtom(source, index);
    const closed = character === ")" && groups.length > 1 ? groups.pop() : undefined;
    if (closed?.hasRepeat === true) groups.at(-1)!.hasRepeat = true;
    const repeat = VARIABLE_REPEAT.exec(source.slice(atomEnd, atomEnd + 24));
    if (repeat === null || character === "(" || character === "|") {
      if (character !== "(" && character !== ")") afterUnbounded = false;
      index = atomEnd;
      continue;
    }
    if (closed?.hasRepeat === true) return "it repeats a group that repeats something itself";
    if (closed?.hasAlternatives === true) return "it repeats a group of alternatives";
    const isUnbounded = repeat[2] === undefined || repeat[2] === "";
    if (isUnbounded && afterUnbounded) return "it has two endless repeats in a row";
    afterUnbounded = isUnbounded;
    groups.at(-1)!.hasRepeat = true;
    index = atomEnd + repeat[0].length;
  }
  return undefined;
}

/** Where the character, escape or class that begins at `index` ends. */
function endOfAtom(source: string, index: number): number {
  if (source[index] === "\\") {
    const braces = /^\\[pPu]\{[^}]*\}/.exec(source.slice(index, index + 48));
    return index + (braces?.[0].length ?? 2);
  }
  if (source[index] !== "[") return index + 1;
  let end = index + 1;
  while (end < source.length && source[end] !== "]") end += source[end] === "\\" ? 2 : 1;
  return end + 1;
}
