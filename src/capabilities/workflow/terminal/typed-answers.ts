import { questionOf } from "../verbs/run-outcome.ts";
import type { ApprovalAnswer, ApprovalQuestion } from "../runner/questions.ts";
import type { Context } from "../../../work/terminal/context.ts";
import { type Answerer, answererOf, questionFor, whyNoAnswer } from "../../../work/project/answering.ts";
import { deciderOf } from "../verbs/decider.ts";
import { LineInput } from "../../../work/terminal/line-input.ts";
import type { AskedQuestion } from "./live-frame.ts";

interface TypedQuestion {
  readonly question: ApprovalQuestion;
  readonly answerer: Answerer;
  readonly answer: (answer: ApprovalAnswer | undefined) => void;
  input: LineInput;
  /** What was typed last and could not be understood. */
  misread?: string;
}

/** Questions of a run that the user answers at the terminal, one after the other, unless they are answered elsewhere first. */
export class TypedAnswers {
  readonly #context: Context;
  readonly #changed: () => void;
  #open: TypedQuestion[] = [];
  #stopReading: (() => void) | undefined;
  #isClosed = false;

  constructor(context: Context, changed: () => void) {
    this.#context = context;
    this.#changed = changed;
  }

  /** The question that keys answer now. */
  get asked(): AskedQuestion | undefined {
    const [first] = this.#open;
    if (first === undefined) return undefined;
    const { run, step } = first.question;
    return { ...questionOf(run, step), typed: first.input.text, misread: first.misread };
  }

  /** Undefined when it is not answered here: the question stays open. */
  async ask(question: ApprovalQuestion): Promise<ApprovalAnswer | undefined> {
    if (this.#isClosed) return undefined;
    // An agent that is named is that agent, whoever sits at the terminal.
    const { project } = this.#context;
    const answerer = await answererOf(project);
    if ((await whyNoAnswer(project, questionFor(question.run))) !== undefined) return undefined;
    const { promise, resolve } = Promise.withResolvers<ApprovalAnswer | undefined>();
    this.#open.push({ question, answerer, answer: resolve, input: new LineInput() });
    this.#stopReading ??= this.#context.terminal.readKeys((keys) => this.#type(keys));
    this.#changed();
    return promise;
  }

  /** Drops a question that was decided elsewhere. */
  forget(step: string): void {
    for (const each of this.#open) if (each.question.step.id === step) each.answer(undefined);
    this.#open = this.#open.filter((each) => each.question.step.id !== step);
    this.#rest();
  }

  close(): void {
    this.#isClosed = true;
    for (const { answer } of this.#open) answer(undefined);
    this.#open = [];
    this.#rest();
  }

  #type(keys: string): void {
    const [first] = this.#open;
    if (first === undefined) return;
    const state = first.input.type(keys);
    if (state === "open") return this.#changed();
    const text = state === "left" ? "" : first.input.text.trim();
    const meant = text === "" ? "later" : meaningOf(text, first.question.options);
    first.input = new LineInput();
    if (meant !== undefined) {
      this.#open.shift();
      first.answer(meant === "later" ? undefined : { ...meant, ...deciderOf(first.answerer) });
      this.#rest();
    } else first.misread = text;
    this.#changed();
  }

  #rest(): void {
    if (this.#open.length > 0) return;
    this.#stopReading?.();
    this.#stopReading = undefined;
  }
}

type TypedDecision = Pick<ApprovalAnswer, "approved" | "option" | "reason">;

/** What a typed answer means: `y`, `n`, `n because …`, or an option by its number or name. Undefined if unclear. */
export function meaningOf(text: string, options: readonly string[]): TypedDecision | undefined {
  const [, no, reason] = /^(n|no)(?:[\s,:]+(.+))?$/i.exec(text) ?? [];
  const option = options.includes(text)
    ? text
    : /^\d{1,3}$/.test(text)
      ? options[Number(text) - 1]
      : undefined;
  if (option !== undefined) return { approved: true, option };
  if (no !== undefined) return { approved: false, ...(reason !== undefined && { reason }) };
  return options.length === 0 && /^y(?:es)?$/i.test(text) ? { approved: true } : undefined;
}
