/** Shortens a long text in the middle: its beginning and its end say most. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = halfOf(limit);
  return joined(text.slice(0, half), text.length - 2 * half, text.slice(-half));
}

export const isShortened = (text: string): boolean => text.includes(" characters left out] …\n");

/** Longer than any secret: a private key has some thousand characters. */
const MARGIN = 8192;
/** A noncharacter, which no text contains. */
const MARK = "\u{fdd0}";
const GAP = new RegExp(String.raw`\n${MARK}(\d+):(\d+)${MARK}\n`);

/**
 * The same in two steps, because half a secret cannot be recognised: this one leaves a margin on both sides of the gap,
 * and `closeGaps` removes the margins once the secrets are out.
 */
export function capped(text: string, limit: number): string {
  const clean = text.includes(MARK) ? text.replaceAll(MARK, "") : text;
  const { length } = clean;
  if (length <= limit) return clean;
  const kept = halfOf(limit) + MARGIN;
  const gap = `\n${MARK}${limit}:${length}${MARK}\n`;
  return length <= 2 * kept ? clean + gap : clean.slice(0, kept) + gap + clean.slice(-kept);
}

/** Removes the margins from everything that `capped` made. */
export function closeGaps<Value>(value: Value): Value {
  if (typeof value === "string") return (value.includes(MARK) ? closed(value) : value) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(closeGaps) as Value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, closeGaps(item)])) as Value;
}

function closed(text: string): string {
  const gap = GAP.exec(text);
  // A custom pattern may have taken a piece of the mark for a secret.
  if (gap === null) return shortened(text.replaceAll(MARK, ""), MARGIN);
  const [limit, length] = [Number(gap[1]), Number(gap[2])];
  const [head, tail] = [text.slice(0, gap.index), text.slice(gap.index + gap[0].length)];
  if (tail === "") return shortened(head, limit);
  const half = halfOf(limit);
  // The outer ends of the margins may be half a secret, however much shorter the margins became.
  const [start, end] = [head.slice(0, -MARGIN).slice(0, half), tail.slice(MARGIN).slice(-half)];
  return joined(start, length - 2 * half, end);
}

function halfOf(limit: number): number {
  return Math.floor((limit - 40) / 2);
}

function joined(start: string, leftOut: number, end: string): string {
  return `${start}\n… [${leftOut} characters left out] …\n${end}`.toWellFormed();
}
