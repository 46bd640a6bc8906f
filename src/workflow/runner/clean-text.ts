import { createRedactor, type Redactor } from "../../redaction/redactor.ts";

/** Takes secrets out of text that is going to be recorded. */
export interface Cleaner {
  /** The values of secret inputs alone: for results, which a program commits itself and which are otherwise kept exactly. */
  readonly mask: (text: string) => string;
  /** Also everything that looks like a secret: for what commands print. */
  readonly clean: (text: string) => string;
}

/** Shorter secrets would take letters out of every word. */
const MIN_SECRET_CHARS = 4;
/** A line of a secret that is this long says something: of a key, commands may print a part. */
const MIN_LINE_CHARS = 8;

export function cleanerFor(secrets: Readonly<Record<string, string>>): Cleaner {
  const whole = Object.values(secrets).filter((value) => value.length >= MIN_SECRET_CHARS);
  const lines = whole.flatMap((value) => value.split(/[\r\n]+/)).map((line) => line.trim());
  const values = [...new Set([...whole, ...lines.filter((line) => line.length >= MIN_LINE_CHARS)])].toSorted(
    (a, b) => b.length - a.length,
  );
  let redactor: Redactor | undefined;
  const mask = (text: string) =>
    values.reduce((current, value) => current.replaceAll(value, "[secret]"), text);
  const clean = (text: string) => {
    const masked = mask(text);
    if (masked.trim() === "") return masked;
    redactor ??= createRedactor();
    return redactor.redactText(masked).value;
  };
  return { mask, clean };
}
