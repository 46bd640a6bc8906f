import { blocker, warning, type ResumeFinding } from "./resume-finding.ts";
import type { Run } from "./run-state.ts";

/** How the definition as it is now differs from the one that is stored with the run. */
export interface DefinitionFacts {
  readonly run: Run;
  /** Completed steps that were edited since, and those that are gone from the definition. */
  readonly edited: readonly string[];
  readonly removed: readonly string[];
  /** Steps that are to come, and of which nobody has said what they run. */
  readonly unbound: readonly string[];
  /** How steps that are not completed differ. */
  readonly openChanges: OpenChanges;
  readonly isDefinitionGone: boolean;
  /** The file exists, but holds another workflow. */
  readonly isOtherWorkflow: boolean;
}

export interface OpenChanges {
  readonly edited: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** What changed in the definition, and what that means for the run. */
export function definitionFindings(facts: DefinitionFacts): ResumeFinding[] {
  const { edited, removed, unbound, openChanges, isDefinitionGone, isOtherWorkflow, run } = facts;
  const found = (message: string, remedy: string) => warning("definition", message, remedy);
  const stored = "the definition stored with the run is used.";
  const bringBack = "Bring the file back if it is to be edited.";
  if (unbound.length > 0)
    return [
      blocker(
        "definition",
        `It was imported, and its file did not say what its steps run: ${some(unbound)}.`,
        `Give it a workflow with steps of these names: checkpoint resume ${run.id} --workflow FILE`,
      ),
    ];
  return [
    ...edited.map((step) =>
      found(
        `Step "${step}" was edited after it was done: its result is kept.`,
        `Nothing, if that is meant; else: checkpoint resume ${run.id} --redo ${step}`,
      ),
    ),
    ...removed.map((step) =>
      found(
        `Step "${step}" is done, but no longer in the workflow: its result is kept.`,
        "There is nothing to do about it.",
      ),
    ),
    ...changesOf(openChanges).map((message) =>
      found(message, `What is not done is done as the file says now: checkpoint resume ${run.id} --dry-run`),
    ),
    ...(isDefinitionGone ? [found(`The file "${run.file}" is gone: ${stored}`, bringBack)] : []),
    ...(isOtherWorkflow
      ? [
          found(
            `The file "${run.file}" holds another workflow than "${run.workflow}" now: ${stored}`,
            bringBack,
          ),
        ]
      : []),
  ];
}

function changesOf({ edited, added, removed }: OpenChanges) {
  const parts = Object.entries({ changed: edited, new: added, gone: removed })
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what}: ${some(names)}`);
  return parts.length === 0 ? [] : [`The workflow was edited since (${parts.join("; ")}).`];
}

const some = (names: readonly string[]) =>
  `${names.slice(0, 5).join(", ")}${names.length > 5 ? ` + ${names.length - 5}` : ""}`;
