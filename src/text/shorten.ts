/** Shortens a long text in the middle: what it begins and what it ends with tells most. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = halfOf(limit);
  return joined(text.slice(0, half), text.length - 2 * half, text.slice(-half));
}

/** More than any secret is long: a private key has some thousand characters. */
const MARGIN = 8192;
/** A character that means nothing in any text. */
const MARK = "\u{fdd0}";
const GAP = new RegExp(String.raw`\n${MARK}(\d+):(\d+)${MARK}\n`);

/**
 * The same in two steps, because nobody recognises a secret that was cut in two: this one leaves a margin on both sides
 * of the gap, in which secrets can be found, and `closeGaps` takes the margins away once they are out.
 */
export function capped(text: string, limit: number): string {
  const clean = text.includes(MARK) ? text.replaceAll(MARK, "") : text;
  const { length } = clean;
  if (length <= limit) return clean;
  const kept = halfOf(limit) + MARGIN;
  const gap = `\n${MARK}${limit}:${length}${MARK}\n`;
  return length <= 2 * kept ? clean + gap : clean.slice(0, kept) + gap + clean.slice(-kept);
}

/** Takes the margins out of everything that `capped` made, down to its limit. */
export function closeGaps<Value>(value: Value): Value {
  if (typeof value === "string") return (value.includes(MARK) ? closed(value) : value) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(closeGaps) as Value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, closeGaps(item)])) as Value;
}

function closed(text: string): string {
  const gap = GAP.exec(text);
  // A pattern of somebody's own may have taken a piece of it for a secret.
  if (gap === null) return shortened(text.replaceAll(MARK, ""), MARGIN);
  const [limit, length] = [Number(gap[1]), Number(gap[2])];
  const [head, tail] = [text.slice(0, gap.index), text.slice(gap.index + gap[0].length)];
  if (tail === "") return shortened(head, limit);
  const half = halfOf(limit);
  // What stands at the outer ends of the margins may be half of a secret, however much shorter they became.
  const [start, end] = [head.slice(0, -MARGIN).slice(0, half), tail.slice(MARGIN).slice(-half)];
  return joined(start, length - 2 * half, end);
}

function halfOf(limit: number): number {
  return Math.floor((limit - 40) / 2);
}

function joined(start: string, leftOut: number, end: string): string {
  return `${start}\n… [${leftOut} characters left out] …\n${end}`.toWellFormed();
}
