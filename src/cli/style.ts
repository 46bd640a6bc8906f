/** Colours and weights. Written out, because Node's own styleText costs four milliseconds to load. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly cyan: Paint;
}

type Paint = (text: string) => string;

const plain: Paint = (text) => text;
const paint =
  (start: number, end: number): Paint =>
  (text) =>
    text === "" ? "" : `\u{1b}[${start}m${text}\u{1b}[${end}m`;

const PLAIN: Style = {
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  blue: plain,
  cyan: plain,
};

const COLOURED: Style = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  red: paint(31, 39),
  green: paint(32, 39),
  yellow: paint(33, 39),
  blue: paint(34, 39),
  cyan: paint(36, 39),
};

export function styleFor(isColoured: boolean): Style {
  return isColoured ? COLOURED : PLAIN;
}

/** The text without the codes that paint it, as wide as a terminal shows it. */
export function unpainted(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u{1b}\[\d+m/gu, "");
}
