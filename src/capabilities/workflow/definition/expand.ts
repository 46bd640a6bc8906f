import type { Path } from "../../../core/objects/json.ts";
import { defined } from "../../../work/yaml/defined.ts";
import { timerMs } from "../../../core/text/duration.ts";
import { fingerprintOf } from "../../../core/objects/fingerprint.ts";
import type { Problems } from "../../../work/yaml/problems.ts";
import type { Step, StepCondition, StepFunction, StepSource, WorkflowSource } from "./types.ts";

/**
 * Reads the workflow that a step names; undefined when that failed and was reported. What that workflow nests
 * is read by its own `nested`, because paths are relative to the file that they are written in.
 */
export type ReadNested = (
  file: string,
  path: Path,
) => { readonly source: WorkflowSource; readonly nested: ReadNested } | undefined;

/** What steps inherit from the workflow around them. */
export interface EnclosingWorkflow {
  /** `build/` for the steps of a workflow that is nested in the step `build`. */
  readonly scope: string;
  /** What the first steps wait for. */
  readonly needs: readonly string[];
  readonly conditions: readonly StepCondition[];
  readonly env: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, string>>;
  /** The inputs that the outermost workflow declares. */
  readonly declared: ReadonlySet<string>;
  readonly path: Path;
  readonly problems: Problems;
  readonly nested: ReadNested;
}

export interface ExpandedWorkflow {
  readonly steps: Step[];
  readonly functions: Map<string, StepFunction>;
  /** Where each step is written. */
  readonly paths: Map<Pick<Step, "id" | "needs">, Path>;
}

const WITHOUT_RETRIES = { retries: 0, backoff_ms: 1000 } as const;

/** Turns a workflow as written into plain steps: reviews and nested workflows become several steps and a join. */
export function expand(source: WorkflowSource, outer: EnclosingWorkflow): ExpandedWorkflow {
  const result: ExpandedWorkflow = { steps: [], functions: new Map(), paths: new Map() };
  const env = { ...outer.env, ...texts(source.env) };
  let above: readonly string[] = outer.needs;
  for (const [index, step] of source.steps.entries()) {
    const needs = step.needs === undefined ? above : scoped(step.needs, outer);
    const inherited = { ...outer, env, needs, path: [...outer.path, "steps", index] };
    if (step.review) expandReview(step, inherited, result);
    else if (step.workflow === undefined) add(plainStep(step, inherited), step.run, inherited.path, result);
    else expandNested(step, inherited, result);
    above = [`${outer.scope}${step.id}`];
  }
  return result;
}

/** A step without needs of its own still waits for what the workflow around it waits for. */
function scoped(needs: readonly string[], { scope, needs: inherited }: EnclosingWorkflow): readonly string[] {
  return needs.length === 0 ? inherited : needs.map((need) => `${scope}${need}`);
}

function expandReview(step: StepSource, outer: EnclosingWorkflow, result: ExpandedWorkflow): void {
  const { reviewers, quorum = reviewers.length, run } = step.review!;
  const id = `${outer.scope}${step.id}`;
  const members = reviewers.map((reviewer) => `${id}/${reviewer}`);
  for (const reviewer of reviewers) {
    const { review: _, ...others } = step;
    const env = { ...step.env, CAIRN_REVIEWER: reviewer };
    const plain = plainStep({ ...others, id: `${step.id}/${reviewer}`, agent: reviewer, run, env }, outer);
    add({ ...plain, reviewer }, run, outer.path, result);
  }
  const join = joinStep(id, members, step, outer);
  add({ ...join, review: { quorum, reviewers: members } }, undefined, outer.path, result);
}

function expandNested(step: StepSource, outer: EnclosingWorkflow, result: ExpandedWorkflow): void {
  const found = outer.nested(step.workflow!, [...outer.path, "workflow"]);
  const id = `${outer.scope}${step.id}`;
  // What was reported already is not reported again by every step that waits for it.
  if (found === undefined) return add(joinStep(id, [], step, outer), undefined, outer.path, result);
  const inner = expand(found.source, {
    ...outer,
    nested: found.nested,
    scope: `${id}/`,
    conditions: conditionsOf(step, outer),
    env: { ...outer.env, ...texts(step.env) },
    inputs: nestedInputs(found.source, step, outer),
  });
  for (const plain of inner.steps) add(plain, inner.functions.get(plain.id), outer.path, result);
  const ids = inner.steps.map((plain) => plain.id);
  add(joinStep(id, ids, step, outer), undefined, outer.path, result);
}

/** A nested workflow's own defaults hold unless the run has an input of that name. What is still missing is a mistake. */
function nestedInputs(
  source: WorkflowSource,
  step: StepSource,
  outer: EnclosingWorkflow,
): Record<string, string> {
  const given = { ...outer.inputs, ...texts(step.with) };
  for (const [name, input] of Object.entries(source.inputs ?? {})) {
    if (Object.hasOwn(given, name) || outer.declared.has(name)) continue;
    if (input?.default !== undefined) given[name] = String(input.default);
    else if (input?.required)
      outer.problems.add(
        [...outer.path, "with"],
        `The workflow "${step.workflow}" needs an input "${name}".`,
        `Give it: with: { ${name}: … }`,
      );
  }
  return given;
}

function joinStep(
  id: string,
  needs: readonly string[],
  { phase, about }: StepSource,
  { scope }: EnclosingWorkflow,
): Step {
  const fingerprint = fingerprintOf({ join: needs });
  return { id, kind: "join", needs, ...WITHOUT_RETRIES, ...defined({ about, phase }), scope, fingerprint };
}

function add(
  step: Step,
  run: StepSource["run"],
  path: Path,
  { steps, functions, paths }: ExpandedWorkflow,
): void {
  steps.push(step);
  paths.set(step, path);
  if (typeof run === "function") functions.set(step.id, run);
}

function plainStep(source: StepSource, outer: EnclosingWorkflow): Step {
  const {
    about,
    phase,
    agent,
    run,
    approve,
    wait: signal,
    outputs,
    verify,
    timeout,
    queue,
    action,
    risk,
  } = source;
  const { inputs, scope } = outer;
  const env = { ...outer.env, ...texts(source.env) };
  const conditions = conditionsOf(source, outer);
  const question = typeof approve === "string" ? approve : approve?.question;
  const options = typeof approve === "object" ? approve.options : undefined;
  return {
    id: `${scope}${source.id}`,
    kind: kindOf(source),
    needs: [...new Set(outer.needs)],
    ...defined({ about, phase, agent, question, options, signal, outputs, verify, queue, action, risk }),
    ...(conditions.length > 0 && { conditions }),
    ...(run !== undefined && typeof run !== "function" && { run }),
    ...retriesOf(source),
    ...(timeout !== undefined && { timeout_ms: timerMs(timeout)! }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(Object.keys(inputs).length > 0 && { inputs }),
    ...(scope !== "" && { scope }),
    fingerprint: fingerprintOf({ run, question, options, signal, outputs, verify, env, inputs }),
  };
}

function kindOf({ run, approve, wait }: StepSource): Step["kind"] {
  if (approve !== undefined) return "approval";
  if (wait !== undefined) return "signal";
  return typeof run === "function" ? "function" : "command";
}

function retriesOf({ retry }: StepSource): { retries: number; backoff_ms: number } {
  if (retry === undefined) return WITHOUT_RETRIES;
  if (typeof retry === "number") return { ...WITHOUT_RETRIES, retries: retry };
  return { retries: retry.max, backoff_ms: timerMs(retry.backoff) ?? WITHOUT_RETRIES.backoff_ms };
}

function conditionsOf(step: StepSource, { conditions, scope }: EnclosingWorkflow): readonly StepCondition[] {
  return step.if === undefined ? conditions : [...conditions, { text: step.if, scope }];
}

function texts(values: Readonly<Record<string, string | number | boolean>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
