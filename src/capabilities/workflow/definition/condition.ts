import type { Json } from "../../../core/objects/json.ts";
import { compare, isTrue, OPERATORS } from "./compare.ts";

/** What a name in a condition stands for; null when it stands for nothing. */
export type NameLookup = (path: readonly string[]) => Json;

/** A parsed `if`: comparisons and and/or/not, nothing that could compute or call. */
export interface Condition {
  readonly names: readonly (readonly string[])[];
  /** Pure; compares numbers with texts that are numbers, since inputs are texts. */
  readonly holds: (lookup: NameLookup) => boolean;
}

type Expression = (lookup: NameLookup) => Json;

/** Why a condition cannot be read, and at which character of it. */
export class ConditionError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

interface Token {
  readonly kind: "name" | "text" | "number" | "operator" | "end";
  readonly text: string;
  readonly at: number;
}

const TOKEN =
  /\s*(?:(?<name>[A-Za-z_][\w-]*)|(?<text>"(?:[^"\\]|\\.)*"|'[^']*')|(?<number>-?\d+(?:\.\d+)?)|(?<operator>==|!=|<=|>=|&&|\|\||[<>!().[\]]))/y;

const MAX_CHARS = 1000;
const MAX_DEPTH = 50;

/** Reads a condition such as `inputs.kind != "docs" and not results.plan.empty`. Throws `ConditionError`. */
export function parseCondition(text: string): Condition {
  if (text.length > MAX_CHARS) throw new ConditionError(`it is longer than ${MAX_CHARS} characters`, 0);
  return new Parser(tokensOf(text)).whole();
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (text.slice(pattern.lastIndex).trim() !== "") {
    const before = pattern.lastIndex;
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) {
      const at = before + /^\s*/.exec(text.slice(before))![0].length;
      throw new ConditionError(`"${text[at]}" is not expected here`, at);
    }
    const kind = (["name", "text", "number", "operator"] as const).find(
      (name) => groups[name] !== undefined,
    )!;
    tokens.push({ kind, text: groups[kind]!, at: pattern.lastIndex - groups[kind]!.length });
  }
  return [...tokens, { kind: "end", text: "", at: text.length }];
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #names: (readonly string[])[] = [];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Condition {
    const expression = this.#or();
    if (this.#peek().kind !== "end") throw unexpected(this.#peek());
    return { names: this.#names, holds: (lookup) => isTrue(expression(lookup)) };
  }

  #or(): Expression {
    const parts = [this.#and()];
    while (this.#take("or", "||")) parts.push(this.#and());
    return parts.length === 1 ? parts[0]! : (lookup) => parts.some((part) => isTrue(part(lookup)));
  }

  #and(): Expression {
    const parts = [this.#not()];
    while (this.#take("and", "&&")) parts.push(this.#not());
    return parts.length === 1 ? parts[0]! : (lookup) => parts.every((part) => isTrue(part(lookup)));
  }

  #not(): Expression {
    if (++this.#depth > MAX_DEPTH) throw new ConditionError("it is nested too deeply", this.#peek().at);
    const isNegated = this.#take("not", "!");
    const operand = isNegated ? this.#not() : this.#comparison();
    this.#depth--;
    return isNegated ? (lookup) => !isTrue(operand(lookup)) : operand;
  }

  #comparison(): Expression {
    const left = this.#operand();
    const operator = OPERATORS.find((text) => this.#take(text));
    if (operator === undefined) return left;
    const right = this.#operand();
    return (lookup) => compare(operator, left(lookup), right(lookup));
  }

  #operand(): Expression {
    if (this.#take("(")) {
      const inner = this.#or();
      if (!this.#take(")")) throw unexpected(this.#peek(), '")"');
      return inner;
    }
    const token = this.#tokens[this.#next++]!;
    if (token.kind === "number") return () => Number(token.text);
    if (token.kind === "text") {
      const value = unquote(token);
      return () => value;
    }
    if (token.kind !== "name" || ["and", "or", "not"].includes(token.text)) throw unexpected(token);
    if (Object.hasOwn(LITERALS, token.text)) return () => LITERALS[token.text as keyof typeof LITERALS];
    const path = [token.text, ...this.#restOfName()];
    this.#names.push(path);
    return (lookup) => lookup(path);
  }

  #restOfName(): string[] {
    const path: string[] = [];
    for (;;) {
      const isBracket = this.#take("[");
      if (!isBracket && !this.#take(".")) return path;
      const token = this.#tokens[this.#next++]!;
      const isFitting = isBracket ? token.kind === "text" || token.kind === "number" : token.kind === "name";
      if (!isFitting) throw unexpected(token, "a name");
      path.push(token.kind === "text" ? unquote(token) : token.text);
      if (isBracket && !this.#take("]")) throw unexpected(this.#peek(), '"]"');
    }
  }

  #peek(): Token {
    return this.#tokens[this.#next]!;
  }

  #take(...texts: string[]): boolean {
    const { kind, text } = this.#peek();
    if ((kind !== "operator" && kind !== "name") || !texts.includes(text)) return false;
    this.#next++;
    return true;
  }
}

const LITERALS = { true: true, false: false, null: null } as const;

function unquote({ text, at }: Token): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new ConditionError(`${text} is not a text`, at);
  }
}

function unexpected({ kind, text, at }: Token, wanted = "a value"): ConditionError {
  const found = kind === "end" ? "it ends" : `there is "${text}"`;
  return new ConditionError(`${found} where ${wanted} is expected`, at);
}
