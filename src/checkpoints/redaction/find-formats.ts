import { FORMATS, type Format } from "./formats.ts";
import type { Span } from "./span.ts";

interface CompiledFormat {
  readonly rule: string;
  readonly pattern: RegExp;
  readonly lengthBefore: number;
}

/** From fixed beginning to the formats that may begin so. */
const BY_START: ReadonlyMap<string, readonly CompiledFormat[]> = compile(FORMATS);

/** Finds any beginning. The longer ones come first, so that `sk-ant-` is not taken for `sk-`. */
const STARTS = new RegExp(
  [...BY_START.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map(escape)
    .join("|"),
  "g",
);

/** Adds the secrets in `text.slice(start, end)`, a run of token characters, that a fixed beginning announces. */
export function findFormats(text: string, start: number, end: number, found: Span[]): void {
  // Cut out first: the search must stop at the end of the run, or a long text would be searched again and again.
  const run = text.slice(start, end);
  STARTS.lastIndex = 0;
  for (let hit = STARTS.exec(run); hit !== null; hit = STARTS.exec(run)) {
    const span = matchAt(text, start + hit.index, hit[0]);
    if (span === undefined) {
      STARTS.lastIndex = hit.index + 1;
    } else {
      found.push(span);
      STARTS.lastIndex = Math.max(span.end - start, hit.index + 1);
    }
  }
}

function matchAt(text: string, index: number, start: string): Span | undefined {
  for (const { rule, pattern, lengthBefore } of BY_START.get(start) ?? []) {
    const from = index - lengthBefore;
    if (!isBoundary(text, from)) continue;
    pattern.lastIndex = from;
    if (pattern.test(text)) return { start: from, end: pattern.lastIndex, rule };
  }
  return undefined;
}

/** An escape or a colour code that ends in a letter or digit, though no word goes on there. */
const ESCAPE_BEFORE = /(?:\\[nrtbf]|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|\[[0-9;]{0,12}m)$/i;

/** Whether a word may begin here. Without this, `task-` would begin with `sk-`. */
export function isBoundary(text: string, index: number): boolean {
  if (index <= 0) return index === 0;
  if (!/[A-Za-z0-9]/.test(text.charAt(index - 1))) return true;
  return ESCAPE_BEFORE.test(text.slice(Math.max(0, index - 16), index));
}

function compile(formats: readonly Format[]): Map<string, CompiledFormat[]> {
  const starts = new Set(formats.flatMap((format) => format.starts));
  const byStart = new Map<string, CompiledFormat[]>();
  for (const start of starts) {
    const matching = formats
      .flatMap((format) => format.starts.map((own) => ({ format, own })))
      .filter(({ own }) => start.startsWith(own))
      .toSorted((a, b) => b.own.length - a.own.length);
    byStart.set(start, matching.map(({ format, own }) => compileOne(format, own)));
  }
  return byStart;
}

function compileOne({ rule, rest, before }: Format, start: string): CompiledFormat {
  const pattern = new RegExp(`${before?.pattern ?? ""}${escape(start)}${rest}`, "y");
  return { rule, pattern, lengthBefore: before?.length ?? 0 };
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^$()[\]{}|\\/]/g, "\\$&");
}
