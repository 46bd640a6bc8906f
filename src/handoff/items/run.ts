import { asList, asRecord, asText, describe, own, textOf } from "../../text/untrusted.ts";
import { clip } from "../../text/visible.ts";
import type { Item } from "./item.ts";
import { formsOf, item } from "./forms.ts";

/** How many steps with something to say are looked at; the others are only named. */
const MOST_STEPS = 50;

/** A workflow run: how far it is, what became of its steps, what they returned and which files they made. */
export function runItems(state: unknown): Item[] {
  const run = own(state, "run");
  if (run === undefined || run === null) return [];
  const steps = stepsOf(run);
  const of = (isOne: (status: string) => boolean) => steps.filter(({ status }) => isOne(status));
  const done = of((status) => status === "completed" || status === "skipped");
  const pending = of((status) => status === "pending");
  const open = of((status) => status !== "pending").filter((step) => !done.includes(step));
  const part = (id: string, value: number, words: string): Item =>
    item({ id, section: "run", tier: 2, value, words, from: run });
  const named = (what: string, those: readonly StepWords[]) =>
    those.length === 0
      ? []
      : [part(`run.${what}`, 12, `${what}: ${clip(those.map(({ id }) => id).join(", "), 600)}`)];
  const files = Object.entries(asRecord(own(run, "artifacts")) ?? {}).map(
    ([path, artifact]) => `${path} (${textOf(artifact, "step") ?? "?"})`,
  );
  return [
    headOf(run, steps.length === 0 ? undefined : `${done.length} of ${steps.length} steps done`),
    ...open
      .slice(0, MOST_STEPS)
      .map(({ id, status, reason }) =>
        part(`run.${id}`, 14, `Step ${id}: ${status.replaceAll("_", " ")}${reason ? `: ${reason}` : ""}`),
      ),
    ...named("Done", done),
    ...named("Not done", pending),
    ...done
      .filter(({ result }) => result !== undefined && result !== null)
      .slice(-MOST_STEPS)
      .map(({ id, result }) =>
        part(`run.${id}`, 8, `Result of ${id}: ${asText(result) ?? describe(result, 400)}`),
      ),
    ...(files.length === 0 ? [] : [part("run.artifacts", 10, `Files: ${clip(files.join(", "), 800)}`)]),
  ];
}

function headOf(run: unknown, progress: string | undefined): Item {
  const name = textOf(run, "workflow", "name", "id");
  const facts = [textOf(run, "status", "state"), progress].filter(Boolean).join(", ");
  const reason = textOf(run, "reason");
  const head = [name, facts].filter(Boolean).join(": ");
  // What another tool recorded as a run is shown as it is.
  const rest = progress === undefined ? describe(run, 400) : reason;
  const words = [head, rest].filter(Boolean).join("; ");
  return item({
    id: "run",
    section: "run",
    tier: 2,
    value: 14,
    words,
    forms: formsOf(words, head || words),
    from: run,
  });
}

interface StepWords {
  readonly id: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly result: unknown;
}

/** The steps in the order of the definition. Joins do no work. */
function stepsOf(run: unknown): StepWords[] {
  const states = new Map(asList(own(run, "steps")).map((step) => [textOf(step, "id"), step]));
  return asList(own(run, "definition")).flatMap((step) => {
    const id = textOf(step, "id");
    if (id === undefined || textOf(step, "kind") === "join") return [];
    const state = states.get(id);
    const status = textOf(state, "status") ?? "pending";
    return [{ id, status, reason: textOf(state, "reason"), result: own(state, "result") }];
  });
}
