import { emptyWorkState } from "../../src/work/state/work-state.ts";
import { handoff, type HandoffInput } from "../../src/work/handoff/handoff.ts";
import { collectItems } from "../../src/work/handoff/items/collect.ts";
import { essentialFacts, mean } from "./budget-figures.ts";
import type { RealCounter } from "./counters.ts";
import { KEY, RESUME } from "./rendered.ts";
import { seededRandom } from "./random.ts";
import { makeState } from "./states.ts";
import { FLAVOURS } from "./voices.ts";

export interface Recall {
  readonly name: string;
  /** The share of essential facts that are there word for word. */
  readonly critical: number;
  /** The share of the value of all items whose first words are there. */
  readonly value: number;
}

type Opponent = (input: HandoffInput, budget: number, count: (text: string) => number) => string;

const OPPONENTS: readonly (readonly [string, Opponent])[] = [
  ["ours", (input, maxTokens) => handoff(input, { maxTokens, family: "gpt" }).text],
  ["first part of the JSON", (input, budget, count) => cutToTokens(asJson(input), budget, count, "head")],
  ["last part of the JSON", (input, budget, count) => cutToTokens(asJson(input), budget, count, "tail")],
  [
    "both ends of the JSON",
    (input, budget, count) =>
      `${cutToTokens(asJson(input), budget / 2, count, "head")}…${cutToTokens(asJson(input), budget / 2, count, "tail")}`,
  ],
  [
    "sections in a fixed order",
    (input, budget, count) => cutToTokens(levelOrder(input), budget, count, "head"),
  ],
];

/** What each way of making things fit keeps, at one budget, over states of about `items` items. */
export function recallFigures(
  counter: RealCounter,
  { budget, items, states }: { budget: number; items: number; states: number },
): Recall[] {
  const count = (text: string): number => counter.countAll([text])[0]!;
  const inputs = Array.from({ length: states }, (_, seed) => ({
    ...makeState(seededRandom(90_000 + seed), items, FLAVOURS[seed % FLAVOURS.length]!),
    key: KEY,
    resumeCommand: RESUME,
  }));
  return OPPONENTS.map(([name, make]) => {
    const results = inputs.map((input) => judge(input, make(input, budget, count)));
    return {
      name,
      critical: mean(results.map((each) => each.critical)),
      value: mean(results.map((each) => each.value)),
    };
  });
}

function judge(input: HandoffInput, text: string): { critical: number; value: number } {
  const has = (words: string): boolean => {
    const line = words.split("\n")[0]!.trim();
    return text.includes(line) || text.includes(JSON.stringify(line).slice(1, -1));
  };
  const items = collectItems(input, {}).filter((item) => item.tier > 0);
  const facts = essentialFacts(input);
  const total = items.reduce((sum, item) => sum + item.value, 0);
  const kept = items.filter((item) => has(opening(item.words))).reduce((sum, item) => sum + item.value, 0);
  return { critical: facts.filter(has).length / facts.length, value: kept / total };
}

/** Enough of an item to recognise it by, without what our own wording adds. */
function opening(words: string): string {
  const [, said = words] =
    /^(?:#\d+(?: \(\w+\))?: |Active task #\d+ \(\w+\): |Available: )?([^]*)$/.exec(words) ?? [];
  return said.split(/, because: |; /)[0]!.slice(0, 50);
}

/** The document as it is stored: the lists in the order of the work state, then what was set later. */
function asJson({ checkpoint, state }: HandoffInput): string {
  return JSON.stringify({ ...checkpoint, ...emptyWorkState(), ...state }, null, 2);
}

/** Phase, task and agent first, then dependencies, tasks and so on; unknown fields last. */
function levelOrder({ checkpoint, state }: HandoffInput): string {
  const tasks = state.tasks ?? [];
  const ordered = [
    {
      phase: state.phase,
      active_task: tasks.find((task) => task.id === state.active_task_id),
      agent: checkpoint.agent_id,
      tier: checkpoint.agent_tier,
    },
    {
      available: (state.dependencies ?? [])
        .filter((each) => each.status === "available")
        .map((each) => each.name),
    },
    {
      in_progress: tasks.filter((task) => task.status === "in_progress"),
      pending: tasks.filter((task) => task.status === "pending").length,
      variables: Object.entries(state.variables ?? {}).slice(0, 5),
    },
    { tasks, dependencies: state.dependencies, recent_outputs: state.recent_outputs },
    { variables: state.variables, phases_completed: state.phases_completed, ...checkpoint },
    state,
  ];
  return ordered.map((part) => JSON.stringify(part, null, 2)).join("\n");
}

/** As much of one end of a text as fits, by bisection. */
function cutToTokens(
  text: string,
  budget: number,
  count: (text: string) => number,
  end: "head" | "tail",
): string {
  const part = (length: number): string =>
    end === "head" ? text.slice(0, length) : text.slice(text.length - length);
  let low = 0;
  let high = Math.min(text.length, budget * 12);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (count(part(middle)) <= budget) low = middle;
    else high = middle - 1;
  }
  return part(low);
}
