import { stripVTControlCharacters, styleText } from "node:util";

const STYLES = ["bold", "dim", "red", "green", "yellow", "blue", "cyan"] as const;

/** Colours and weights. */
export type Style = Readonly<Record<(typeof STYLES)[number], (text: string) => string>>;

export function styleFor(isColoured: boolean): Style {
  const paint = (style: (typeof STYLES)[number]) => (text: string) =>
    !isColoured || text === "" ? text : styleText(style, text, { validateStream: false });
  return Object.fromEntries(STYLES.map((style) => [style, paint(style)])) as Style;
}

/** The text without the codes that paint it, as wide as a terminal shows it. */
export const unpainted = stripVTControlCharacters;
