import { asList, asRecord, asText, describe, own, textOf } from "../../core/text/untrusted.ts";
import { clip } from "../../core/text/visible.ts";
import { words } from "./words.ts";

/** Something to say about one step of a run. */
interface StepText {
  readonly id: string;
  readonly text: string;
}

/** What a state says about its workflow run, in words. */
interface RunWords {
  /** `ship: awaiting approval, 2 of 4 steps done` */
  readonly head: string;
  /** Why it stopped; for what another tool recorded as a run, all of it. */
  readonly detail: string | undefined;
  /** Steps that were started and are not done. */
  readonly open: readonly StepText[];
  readonly done: readonly string[];
  readonly pending: readonly string[];
  /** What the completed steps returned, decisions and reviews included. */
  readonly results: readonly StepText[];
  readonly files: readonly string[];
}

/** Puts the run of a state into words. Nothing about its shape is trusted. Undefined if there is no run. */
export function runWords(run: unknown): RunWords | undefined {
  if (run === undefined || run === null) return undefined;
  const steps = stepsOf(run);
  // A join does no work, so it is not counted.
  const counted = steps.filter(({ isJoin }) => !isJoin);
  const done = counted.filter(({ isDone }) => isDone);
  const pending = counted.filter(({ status }) => status === "pending");
  const open = steps.filter(({ isDone, status }) => !isDone && status !== "pending");
  const progress = counted.length === 0 ? undefined : `${done.length} of ${counted.length} steps done`;
  const facts = [words(textOf(run, "status", "state") ?? ""), progress].filter(Boolean).join(", ");
  return {
    head: [textOf(run, "workflow", "name", "id"), facts].filter(Boolean).join(": "),
    detail: progress === undefined ? describe(run, 400) : textOf(run, "reason"),
    open: open.map(({ id, status, reason }) => ({
      id,
      text: [words(status), reason].filter(Boolean).join(": "),
    })),
    done: done.map(({ id }) => id),
    pending: pending.map(({ id }) => id),
    results: steps.flatMap(({ id, isDone, result }) =>
      !isDone || result === undefined ? [] : [{ id, text: result }],
    ),
    files: Object.entries(asRecord(own(run, "artifacts")) ?? {}).map(
      ([path, artifact]) => `${path} (${textOf(artifact, "step") ?? "?"})`,
    ),
  };
}

/** The steps in the order of the definition. Joins are left out, except those of reviews, which have an outcome. */
function stepsOf(run: unknown) {
  const states = new Map(asList(own(run, "steps")).map((step) => [textOf(step, "id"), step]));
  return asList(own(run, "definition")).flatMap((step) => {
    const id = textOf(step, "id");
    const isJoin = textOf(step, "kind") === "join";
    if (id === undefined || (isJoin && own(step, "review") === undefined)) return [];
    const state = states.get(id);
    const status = textOf(state, "status") ?? "pending";
    // A reviewer who failed has abstained.
    const hasAbstained = status === "failed" && own(step, "reviewer") !== undefined;
    const isDone = ["completed", "skipped"].includes(status) || hasAbstained;
    const reason = textOf(state, "reason");
    const result = hasAbstained ? ["abstained", reason].filter(Boolean).join(": ") : resultWords(step, state);
    return [{ id, isJoin, isDone, status, reason, result }];
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

/** How the name of who decided is known. */
export function identityWords(decision: unknown): string {
  const identity = textOf(decision, "identity") ?? "unknown";
  return Object.hasOwn(IDENTITIES, identity) ? (IDENTITIES[identity] as string) : identity;
}

const IDENTITIES: Readonly<Record<string, string>> = {
  given: "as given",
  session: "the agent session",
  git: "by git's user.name",
  user: "as the system says",
  unknown: "identity unknown",
};

/** The outcome of a review. Dissent is shown even if the quorum was reached. */
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
