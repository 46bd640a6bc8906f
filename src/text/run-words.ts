import { asList, asRecord, asText, describe, own, textOf } from "./untrusted.ts";
import { clip } from "./visible.ts";
import { words } from "./words.ts";

/** Something to say about one step of a run. */
interface StepWords {
  readonly id: string;
  readonly words: string;
}

/** What a state says about its workflow run, in words. */
interface RunWords {
  /** `ship: awaiting approval, 2 of 4 steps done` */
  readonly head: string;
  /** Why it stopped; for what another tool recorded as a run, all of it. */
  readonly detail: string | undefined;
  /** Steps that were started and are not done. */
  readonly open: readonly StepWords[];
  readonly done: readonly string[];
  readonly pending: readonly string[];
  /** What the completed steps returned, decisions and reviews included. */
  readonly results: readonly StepWords[];
  readonly files: readonly string[];
}

/** Reads the run of a state that may come from anywhere. Undefined if there is none. */
export function runWords(run: unknown): RunWords | undefined {
  if (run === undefined || run === null) return undefined;
  const steps = stepsOf(run);
  const done = steps.filter(({ status }) => ["completed", "skipped"].includes(status));
  const pending = steps.filter(({ status }) => status === "pending");
  const open = steps.filter((step) => !done.includes(step) && !pending.includes(step));
  const progress = steps.length === 0 ? undefined : `${done.length} of ${steps.length} steps done`;
  const facts = [words(textOf(run, "status", "state") ?? ""), progress].filter(Boolean).join(", ");
  return {
    head: [textOf(run, "workflow", "name", "id"), facts].filter(Boolean).join(": "),
    detail: progress === undefined ? describe(run, 400) : textOf(run, "reason"),
    open: open.map(({ id, status, reason }) => ({
      id,
      words: [words(status), reason].filter(Boolean).join(": "),
    })),
    done: done.map(({ id }) => id),
    pending: pending.map(({ id }) => id),
    results: done.flatMap(({ id, result }) => (result === undefined ? [] : [{ id, words: result }])),
    files: Object.entries(asRecord(own(run, "artifacts")) ?? {}).map(
      ([path, artifact]) => `${path} (${textOf(artifact, "step") ?? "?"})`,
    ),
  };
}

/** The steps in the order of the definition. A join does no work, but that of a review has its outcome. */
function stepsOf(run: unknown) {
  const states = new Map(asList(own(run, "steps")).map((step) => [textOf(step, "id"), step]));
  return asList(own(run, "definition")).flatMap((step) => {
    const id = textOf(step, "id");
    const review = own(step, "review");
    if (id === undefined || (textOf(step, "kind") === "join" && review === undefined)) return [];
    const state = states.get(id);
    const status = textOf(state, "status") ?? "pending";
    return [{ id, status, reason: textOf(state, "reason"), result: resultWords(step, state) }];
  });
}

function resultWords(step: unknown, state: unknown): string | undefined {
  const result = own(state, "result");
  const decision = own(state, "decision");
  if (decision !== undefined) return decisionWords(decision);
  if (own(step, "review") !== undefined) return reviewWords(step, result);
  if (result === undefined || result === null) return undefined;
  return asText(result) ?? describe(result, 400);
}

/** What a person decided: `approved by ann, looks fine`, `"green" chosen by ann`. */
export function decisionWords(decision: unknown): string {
  const option = textOf(decision, "option");
  const verdict = own(decision, "approved") === false ? "rejected" : "approved";
  const answer = option === undefined ? verdict : `"${option}" chosen`;
  return [`${answer} by ${textOf(decision, "by") ?? "?"}`, textOf(decision, "reason")]
    .filter(Boolean)
    .join(", ");
}

/** The outcome of a review. Dissent is kept also where the quorum was reached. */
export function reviewWords(step: unknown, result: unknown): string {
  const against = asList(own(result, "dissent")).map((opinion) => {
    const reason = textOf(opinion, "reason");
    return `${textOf(opinion, "reviewer") ?? "?"}${reason === undefined ? "" : ` (${reason})`}`;
  });
  const reviewers = asList(own(own(step, "review"), "reviewers")).length;
  return [
    `${asList(own(result, "approved")).length} of ${reviewers} approved`,
    ...(against.length > 0 ? [`against: ${against.join(", ")}`] : []),
  ].join(", ");
}

/** A question of a run: `ship-1 which: Which one? (blue, green)`. Undefined for any other pending approval. */
export function questionWords(entry: unknown): string | undefined {
  const question = textOf(entry, "question");
  if (question === undefined) return undefined;
  const asker = [textOf(entry, "run"), textOf(entry, "step")].filter(Boolean).join(" ");
  const options = asList(own(entry, "options")).flatMap((option) => asText(option) ?? []);
  const answers = options.length === 0 ? "" : ` (${clip(options.join(", "), 300)})`;
  return `${asker === "" ? "" : `${asker}: `}${question}${answers}`;
}
