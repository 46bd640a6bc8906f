import { MESSAGE_BLOCK_CHARS, readText, type Corpus, type TextSource } from "./corpus.ts";
import {
  changedScalars,
  INITIAL_SCALARS,
  jsonBytes,
  newMessage,
  type Message,
  type Scalars,
} from "./messages.ts";
import { seededRandom } from "./random.ts";

export interface Conversation extends Scalars {
  readonly messages: readonly Message[];
}

export interface TaskList {
  readonly goal: string;
  readonly tasks: readonly Task[];
}

interface Task {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly status: string;
  readonly owner: string;
  readonly blocked_by: readonly string[];
}

/** One step: the next state (what did not change is shared with the one before), and the bytes that are new in it. */
export interface Step<State> {
  readonly state: State;
  readonly newBytes: number;
  /** The same where a value that resembles an earlier one counts whole; absent where there is none. */
  readonly distinctBytes?: number;
}

/** States one after the other. Two iterations give equal states, so runs can be compared. */
export type Workload<State> = (steps: number) => Generator<Step<State>, void>;

/** A: a message is appended, three of ten scalars change. */
export function appending(corpus: Corpus, text?: TextSource): Workload<Conversation> {
  return conversation(
    () =>
      ({ messages }) => ({ messages, changedBytes: 0 }),
    corpus,
    text,
  );
}

/** B: as A; every 10 steps a message in the middle gets a new text, every 200 the oldest 150 go. */
export function trimming(corpus: Corpus): Workload<Conversation> {
  return conversation(() => {
    const text = readText(corpus, MESSAGE_BLOCK_CHARS, 20);
    return ({ messages }, step) => {
      if (step % 10 !== 0) return { messages, changedBytes: 0 };
      const middle = messages.length >> 1;
      const content = text(400);
      const edited = messages.with(middle, { ...(messages[middle] as Message), content });
      return { messages: step % 200 === 0 ? edited.slice(150) : edited, changedBytes: jsonBytes(content) };
    };
  }, corpus);
}

/** C: 500 tasks of about 350 bytes, one status changes. */
export function changingTasks(corpus: Corpus): Workload<TaskList> {
  return function* (steps) {
    const random = seededRandom(30);
    const text = readText(corpus, MESSAGE_BLOCK_CHARS, 31);
    const tasks = Array.from({ length: 500 }, (_, at): Task => ({
      id: `task-${random.token(8)}`,
      subject: text(60),
      description: text(140),
      status: "pending",
      owner: random.pick(["builder", "reviewer", "tester", "planner"]),
      blocked_by: at < 3 ? [] : [`task-${random.token(8)}`, `task-${random.token(8)}`],
    }));
    let state: TaskList = { goal: INITIAL_SCALARS.goal, tasks };
    for (let step = 1; step <= steps; step++) {
      const at = random.integer(0, tasks.length - 1);
      const task = state.tasks[at] as Task;
      const status = random.pick(STATUSES.filter((other) => other !== task.status));
      state = { ...state, tasks: state.tasks.with(at, { ...task, status }) };
      yield { state, newBytes: jsonBytes(status) };
    }
  };
}

const STATUSES = ["pending", "in_progress", "blocked", "completed", "cancelled"];

/** What a workload does to the messages before the new one is appended. */
type Change = (state: Conversation, step: number) => { messages: readonly Message[]; changedBytes: number };

function conversation(begin: () => Change, corpus: Corpus, text?: TextSource): Workload<Conversation> {
  return function* (steps) {
    const random = seededRandom(10);
    const source = text ?? readText(corpus, MESSAGE_BLOCK_CHARS, 11);
    const change = begin();
    let state: Conversation = { ...INITIAL_SCALARS, messages: [] };
    for (let step = 1; step <= steps; step++) {
      const message = newMessage(step, source, random);
      const scalars = changedScalars(step, state, random);
      const { messages, changedBytes } = change(state, step);
      state = { ...state, ...scalars, messages: [...messages, message] };
      yield { state, newBytes: jsonBytes(message) + jsonBytes(scalars) + changedBytes };
    }
  };
}
