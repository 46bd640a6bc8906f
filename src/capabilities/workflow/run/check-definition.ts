import type { Step } from "../definition/types.ts";
import { blocker, warning, type ResumeFinding } from "./resume-finding.ts";
import { isDone, stepsWith, type Run } from "./run-state.ts";

/** The definition as it is now, to be compared with the one that is stored with the run. */
export interface DefinitionFacts {
  readonly run: Run;
  /** Its steps; the stored ones where it is not to be had. */
  readonly steps: readonly Step[];
  /** Why the run's file was not used: there is none any more, or it holds another workflow. */
  readonly fileIs?: "gone" | "of another workflow" | undefined;
}

/** What changed in the definition, and what that means for the run. */
export function definitionFindings(facts: DefinitionFacts): ResumeFinding[] {
  const { run, steps, fileIs } = facts;
  const found = (message: string, remedy: string) => warning("definition", message, remedy);
  const unbound = steps.filter(({ kind }) => kind === "imported").filter(isOpenIn(run));
  const asked = unbound.length === 0 ? undefined : stepsWith(run, "awaiting_approval")[0];
  if (asked !== undefined)
    return [blocker("question", `It waits for an answer: ${asked.question}`, `checkpoint approve ${run.id}`)];
  if (unbound.length > 0)
    return [
      blocker(
        "definition",
        `It was imported, and its file did not say what its steps run: ${some(unbound.map(({ id }) => id))}.`,
        `Give it a workflow with steps of these names: checkpoint resume ${run.id} --workflow FILE`,
      ),
    ];
  const lost = steps.filter(({ kind }) => kind === "function").filter(isOpenIn(run));
  if (fileIs !== undefined && lost.length > 0)
    return [
      blocker(
        "definition",
        `The code of its steps is not here: ${some(lost.map(({ id }) => id))}. It was in the file "${run.file}".`,
        "Bring the file back: the code of steps in TypeScript is not stored with the run.",
      ),
    ];
  return [
    ...changedSinceDone(facts).map((id) =>
      steps.some((step) => step.id === id)
        ? found(
            `Step "${id}" was edited after it was done: its result is kept.`,
            `Nothing, if that is meant; else: checkpoint resume ${run.id} --redo ${id}`,
          )
        : found(
            `Step "${id}" is done, but no longer in the workflow: its result is kept.`,
            "There is nothing to do about it.",
          ),
    ),
    ...openChanges(facts).map((message) =>
      found(message, `What is not done is done as the file says now: checkpoint resume ${run.id} --dry-run`),
    ),
    ...(fileIs === undefined
      ? []
      : [found(fileMessage(run, fileIs), "Bring the file back if it is to be edited.")]),
  ];
}

/** Completed steps that were edited since, or are gone from the definition. */
export function changedSinceDone({ run, steps }: DefinitionFacts): string[] {
  const now = new Map(steps.map((step) => [step.id, step.fingerprint]));
  const done = run.steps.filter(({ status }) => status === "completed");
  // What was done before an import has no fingerprint: nobody knows what was run.
  const isChanged = ({ id, fingerprint = now.get(id) }: Run["steps"][number]) =>
    !now.has(id) || now.get(id) !== fingerprint;
  return done.filter(isChanged).map(({ id }) => id);
}

/** What was edited in steps that are not done. Joins do not count: they follow from the others. */
function openChanges({ run, steps }: DefinitionFacts): string[] {
  const fingerprints = (definition: readonly Step[]) => {
    const counted = definition.filter(({ kind }) => kind !== "join").filter(isOpenIn(run));
    return new Map(counted.map((step) => [step.id, step.fingerprint]));
  };
  const before = fingerprints(run.definition);
  const now = fingerprints(steps);
  const changes = {
    changed: [...now.keys()].filter((id) => before.has(id) && before.get(id) !== now.get(id)),
    new: [...now.keys()].filter((id) => !before.has(id)),
    gone: [...before.keys()].filter((id) => !now.has(id)),
  };
  const parts = Object.entries(changes)
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what}: ${some(names)}`);
  return parts.length === 0 ? [] : [`The workflow was edited since (${parts.join("; ")}).`];
}

const isOpenIn =
  (run: Run) =>
  ({ id }: Step) =>
    !isDone(run, id);

function fileMessage({ file, workflow }: Run, fileIs: NonNullable<DefinitionFacts["fileIs"]>): string {
  const what = fileIs === "gone" ? "is gone" : `holds another workflow than "${workflow}" now`;
  return `The file "${file}" ${what}: the definition stored with the run is used.`;
}

const some = (names: readonly string[]) =>
  `${names.slice(0, 5).join(", ")}${names.length > 5 ? ` + ${names.length - 5}` : ""}`;
