import { styleText } from "node:util";

let chapters = 0;

/** Prints the heading of the next part. Colour appears on a terminal only. */
export function chapter(title: string): void {
  console.log(`\n${bold(`${++chapters}  ${title}`)}`);
}

/** Prints a sentence below the heading. Lines are written to fit in 80 columns. */
export function tell(text: string): void {
  console.log(`   ${text}`.trimEnd());
}

/** Prints what was measured: the name of it in front, so that numbers stand below each other. */
export function fact(name: string, value: string): void {
  console.log(`   ${dim(name.padEnd(37))}${value}`);
}

export function good(text: string): string {
  return styleText("green", text);
}

export function bad(text: string): string {
  return styleText("red", text);
}

export function bold(text: string): string {
  return styleText("bold", text);
}

export function dim(text: string): string {
  return styleText("dim", text);
}

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const [value, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KB"] : [bytes / 1024 ** 2, "MB"];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

/** A value as short as it must be to fit on a line. */
export function short(value: unknown, length = 28): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
