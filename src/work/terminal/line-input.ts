/** The state of a line after some keys: still open, entered with Enter, or left with Ctrl-D. */
export type LineState = "open" | "entered" | "left";

// oxlint-disable-next-line no-control-regex
const SEQUENCES = /\u{1b}(?:\[[\d;]*[A-Za-z~]|O[A-Za-z])?/gu;
const CTRL_D = "\u{4}";
const CTRL_U = "\u{15}";
const BACKSPACES = ["\u{7f}", "\u{8}"];

/** A line that is typed key by key. Arrows and the like are ignored: answers are short. */
export class LineInput {
  #characters: string[] = [];

  get text(): string {
    return this.#characters.join("");
  }

  type(keys: string): LineState {
    for (const key of keys.replaceAll(SEQUENCES, "")) {
      if (key === "\r" || key === "\n") return "entered";
      if (key === CTRL_D) return "left";
      if (BACKSPACES.includes(key)) this.#characters.pop();
      else if (key === CTRL_U) this.#characters = [];
      else if (key >= " ") this.#characters.push(key);
    }
    return "open";
  }
}
