import type { ResumeFinding } from "./resume-finding.ts";
import type { Run } from "./run-state.ts";

/** How the definition as it is now differs from the one that is stored with the run. */
export interface DefinitionFacts {
  readonly run: Run;
  /** Steps that are done and were edited since; `removed` are done and gone from the definition. */
  readonly edited: readonly string[];
  readonly removed: readonly string[];
  /** What else is different in the definition now: of steps that are not done. */
  readonly openChanges?: OpenChanges;
  readonly isDefinitionGone: boolean;
  /** The file is there, but holds another workflow. */
  readonly isOtherWorkflow?: boolean;
}

export interface OpenChanges {
  readonly edited: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** What is different in the definition, and what that means for the run. */
export function definitionFindings(facts: DefinitionFacts): ResumeFinding[] {
  const { edited, removed, openChanges, isDefinitionGone, isOtherWorkflow, run } = facts;
  const remedy = (step: string) =>
    `Nothing, if that is meant; else: checkpoint resume ${run.id} --redo ${step}`;
  return [
    ...edited.map((step): ResumeFinding => ({
      check: "definition",
      severity: "warning",
      message: `Step "${step}" was edited after it was done: its result is kept.`,
      remedy: remedy(step),
    })),
    ...removed.map((step): ResumeFinding => ({
      check: "definition",
      severity: "warning",
      message: `Step "${step}" is done, but no longer in the workflow: its result is kept.`,
      remedy: "There is nothing to do about it.",
    })),
    ...changesOf(openChanges).map((message): ResumeFinding => ({
      check: "definition",
      severity: "warning",
      message,
      remedy: `What is not done is done as the file says now: checkpoint resume ${run.id} --dry-run`,
    })),
    ...storedIsUsed(isDefinitionGone, `The file "${run.file}" is gone`),
    ...storedIsUsed(
      isOtherWorkflow,
      `The file "${run.file}" holds another workflow than "${run.workflow}" now`,
    ),
  ];
}

function changesOf(
  { edited, added, removed }: OpenChanges = { edited: [], added: [], removed: [] },
): string[] {
  const parts = [
    ...(edited.length > 0 ? [`changed: ${some(edited)}`] : []),
    ...(added.length > 0 ? [`new: ${some(added)}`] : []),
    ...(removed.length > 0 ? [`gone: ${some(removed)}`] : []),
  ];
  return parts.length === 0 ? [] : [`The workflow was edited since (${parts.join("; ")}).`];
}

const some = (names: readonly string[]) =>
  `${names.slice(0, 5).join(", ")}${names.length > 5 ? ` + ${names.length - 5}` : ""}`;

function storedIsUsed(isSo: boolean | undefined, why: string): ResumeFinding[] {
  if (!isSo) return [];
  return [
    {
      check: "definition",
      severity: "warning",
      message: `${why}: the definition stored with the run is used.`,
      remedy: "Bring the file back if it is to be edited.",
    },
  ];
}
