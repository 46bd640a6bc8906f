import type { Json } from "../../objects/json.ts";

/** A parsed `if`: comparisons and and/or/not, nothing that could compute or call. */
export type Expression =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "name"; readonly path: readonly string[] }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: "compare";
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    };

type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";

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
export function parseCondition(text: string): Expression {
  if (text.length > MAX_CHARS) throw new ConditionError(`it is longer than ${MAX_CHARS} characters`, 0);
  const parser = new Parser(tokensOf(text));
  return parser.whole();
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
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#or();
    if (this.#peek().kind !== "end") throw unexpected(this.#peek());
    return expression;
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#take("or", "||")) left = { kind: "or", left, right: this.#and() };
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.#take("and", "&&")) left = { kind: "and", left, right: this.#not() };
    return left;
  }

  #not(): Expression {
    if (++this.#depth > MAX_DEPTH) throw new ConditionError("it is nested too deeply", this.#peek().at);
    const result: Expression = this.#take("not", "!") ? { kind: "not", of: this.#not() } : this.#comparison();
    this.#depth--;
    return result;
  }

  #comparison(): Expression {
    const left = this.#operand();
    const operator = ["==", "!=", "<=", ">=", "<", ">"].find((text) => this.#take(text)) as
      | Operator
      | undefined;
    return operator === undefined ? left : { kind: "compare", operator, left, right: this.#operand() };
  }

  #operand(): Expression {
    if (this.#take("(")) {
      const inner = this.#or();
      if (!this.#take(")")) throw unexpected(this.#peek(), '")"');
      return inner;
    }
    const token = this.#tokens[this.#next++]!;
    if (token.kind === "number") return { kind: "value", value: Number(token.text) };
    if (token.kind === "text") return { kind: "value", value: unquote(token) };
    if (token.kind !== "name" || ["and", "or", "not"].includes(token.text)) throw unexpected(token);
    if (token.text in LITERALS)
      return { kind: "value", value: LITERALS[token.text as keyof typeof LITERALS] };
    return { kind: "name", path: [token.text, ...this.#restOfName()] };
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
