import { styleText } from "node:util";
import type { JsonObject } from "../../core/objects/json.ts";
import { visibleJson } from "../../core/text/visible.ts";
import { inAscii, table, wrapLines } from "./columns.ts";

/** Where a command's words go. Knows nothing of the process, so that it can be tested without one. */
export interface Streams {
  /** Data: what was asked for, and nothing else. */
  readonly out: (text: string | Uint8Array) => void;
  /** Everything said about it. */
  readonly err: (text: string) => void;
  readonly isOutTerminal: boolean;
  /** Shows a text on the terminal a page at a time; false where it fits, or nothing can. */
  readonly page?: (text: string) => boolean;
  readonly isErrTerminal: boolean;
  /** Undefined when stdout is not a terminal: then nothing is cut. */
  readonly columns: number | undefined;
  /** Whether more than ASCII can be shown. */
  readonly isUtf8: boolean;
}

export interface OutputOptions {
  readonly command: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly isOutColoured: boolean;
  readonly isErrColoured: boolean;
}

/** How long to wait before showing progress. */
const PATIENCE_SECONDS = 1;

/**
 * What a command prints. Data goes to stdout, messages go to stderr. With `--json` stdout is one JSON document,
 * which holds the messages too, so that stderr stays empty unless something fails.
 */
export class Output {
  readonly json: boolean;
  /** For what goes to stdout. */
  readonly style: Style;
  /** For what goes to stderr. */
  readonly messageStyle: Style;
  readonly columns: number | undefined;
  readonly #streams: Streams;
  readonly #options: OutputOptions;
  readonly #messages: string[] = [];
  readonly #since = process.uptime();
  #hasProgress = false;

  constructor(streams: Streams, options: OutputOptions) {
    this.#streams = streams;
    this.#options = options;
    this.json = options.json;
    this.style = styleFor(options.isOutColoured);
    this.messageStyle = styleFor(options.isErrColoured);
    this.columns = streams.columns;
  }

  /** The answer, in one of its two forms. Called once by a command. No word of it is broken by the end of a terminal's line. */
  result(document: object, text: string | (() => string)): void {
    this.progress("");
    if (this.json) return this.document(this.#options.command, document);
    const lines = typeof text === "string" ? text : text();
    if (lines !== "") this.#streams.out(`${this.#shown(lines, this.columns)}\n`);
  }

  /** The same for what may be long: on a terminal, the person leafs through it. */
  paged(document: object, text: () => string): void {
    const { isOutTerminal, page } = this.#streams;
    const lines = this.json || !isOutTerminal || !page ? undefined : this.#shown(text());
    if (!lines || !page?.(`${lines}\n`)) this.result(document, lines ?? text);
  }

  /** One more part of an answer that comes over time: with `--json` a document of its own. */
  part(document: object, text: string): void {
    if (this.json) this.document(this.#options.command, document);
    else this.#streams.out(`${this.#shown(text, this.columns)}\n`);
  }

  /** A list as a table, or where it is empty what there is to say. */
  list(document: object, rows: readonly (readonly string[])[], none: string): void {
    if (rows.length === 0) this.message(none);
    this.result(document, () => table(rows, this.columns));
  }

  /** What we draw, in lines that fit a terminal of so many columns, and for one that shows nothing but ASCII. */
  #shown(text: string, columns?: number): string {
    const lines = columns === undefined ? text : wrapLines(text, columns);
    return this.#streams.isUtf8 ? lines : inAscii(lines);
  }

  /** A JSON document with its schema's name, on one line: commands that print several print one a line. */
  document(name: string, document: object): void {
    const schema = `cairn/${name.replaceAll(" ", "-")}@1`;
    const messages = this.#messages.length > 0 ? { messages: this.#messages.splice(0) } : {};
    this.#streams.out(`${visibleJson(JSON.stringify({ schema, ...document, ...messages }))}\n`);
  }

  /** Text for stdout as it comes, whatever the form: what `--env`, `export`, `completion` and `templates` print. */
  raw(text: string | Uint8Array): void {
    this.#streams.out(text);
  }

  /** Something worth knowing that was not asked for. */
  message(text: string): void {
    if (this.json) this.#messages.push(text);
    else if (!this.#options.quiet) this.#say(text);
  }

  /** Something that deserves attention; also with `--quiet`. */
  warning(text: string): void {
    if (this.json) this.#messages.push(text);
    else this.#say(`${this.messageStyle.yellow("warning:")} ${text}`);
  }

  /**
   * A line that the next call overwrites; an empty one clears it, and so does whatever is said next. Shown only on a
   * terminal, and only after the user has waited for a while.
   */
  progress(text: string): void {
    if (this.json || this.#options.quiet || process.uptime() - this.#since < PATIENCE_SECONDS) return;
    if ((text === "" && !this.#hasProgress) || !this.#streams.isErrTerminal) return;
    this.#hasProgress = text !== "";
    this.#streams.err(`\r\u{1b}[K${text}`);
  }

  /** Whether a person watches stderr and wants messages. */
  get isWatched(): boolean {
    return !this.json && !this.#options.quiet && this.#streams.isErrTerminal;
  }

  /** Writes text with cursor movements to the terminal on stderr. */
  draw(text: string): void {
    this.#streams.err(this.#shown(text));
  }

  #say(text: string): void {
    this.progress("");
    const { err, isErrTerminal, columns } = this.#streams;
    err(`${this.#shown(text, isErrTerminal ? columns : undefined)}\n`);
  }

  /** What went wrong: the document with `--json`, otherwise the text. */
  error(document: JsonObject, text: string): void {
    if (!this.json) return this.#say(text);
    const messages = this.#messages.length > 0 ? { messages: this.#messages } : {};
    this.#streams.err(
      `${visibleJson(JSON.stringify({ schema: "cairn/error@1", ...document, ...messages }))}\n`,
    );
  }
}

const STYLES = ["bold", "dim", "red", "green", "yellow", "blue", "cyan"] as const;

/** Colours and weights. */
export type Style = Readonly<Record<(typeof STYLES)[number], (text: string) => string>>;

export function styleFor(isColoured: boolean): Style {
  const paint = (style: (typeof STYLES)[number]) => (text: string) =>
    !isColoured || text === "" ? text : styleText(style, text, { validateStream: false });
  return Object.fromEntries(STYLES.map((style) => [style, paint(style)])) as Style;
}
