import type { Path } from "../../objects/json.ts";
import { parseDuration } from "./duration.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { Condition, Step, StepFunction, StepSource, WorkflowSource } from "./types.ts";

/** Where steps go, and what they inherit from the workflow around them. */
export interface Surroundings {
  /** `build/` for the steps of a workflow that is nested in the step `build`. */
  readonly scope: string;
  /** What the first steps wait for. */
  readonly needs: readonly string[];
  readonly conditions: readonly Condition[];
  readonly env: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, string>>;
  /** The inputs that the outermost workflow declares. */
  readonly declared: ReadonlySet<string>;
  readonly path: Path;
  readonly report: (path: Path, message: string, remedy: string) => void;
  /** Reads the workflow that a step names; undefined when that went wrong and is reported. */
  readonly nested: (file: string, path: Path) => WorkflowSource | undefined;
}

export interface Expanded {
  readonly steps: Step[];
  readonly functions: Map<string, StepFunction>;
  /** Where each step is written. */
  readonly places: Map<string, Path>;
}

const WITHOUT_RETRIES = { retries: 0, backoff_ms: 1000 } as const;

/** Turns a workflow as written into plain steps: reviews and nested workflows become steps of their own, and a join. */
export function expand(source: WorkflowSource, around: Surroundings): Expanded {
  const result: Expanded = { steps: [], functions: new Map(), places: new Map() };
  const env = { ...around.env, ...texts(source.env) };
  let above: readonly string[] = around.needs;
  for (const [index, step] of source.steps.entries()) {
    const needs = step.needs === undefined ? above : scoped(step.needs, around);
    const path = [...around.path, "steps", index];
    expandStep(step, { ...around, env, needs, path }, result);
    above = [`${around.scope}${step.id}`];
  }
  return result;
}

/** A step without needs of its own still waits for what the workflow around it waits for. */
function scoped(needs: readonly string[], { scope, needs: outer }: Surroundings): readonly string[] {
  return needs.length === 0 ? outer : needs.map((need) => `${scope}${need}`);
}

function expandStep(step: StepSource, around: Surroundings, result: Expanded): void {
  if (step.review) expandReview(step, around, result);
  else if (step.workflow === undefined) add(plainStep(step, around), step.run, around.path, result);
  else expandNested(step, around, result);
}

function expandReview(step: StepSource, around: Surroundings, result: Expanded): void {
  const { reviewers, quorum = reviewers.length, run } = step.review!;
  const id = `${around.scope}${step.id}`;
  const members = reviewers.map((reviewer) => `${id}/${reviewer}`);
  for (const reviewer of reviewers) {
    const { review: _, ...others } = step;
    const env = { ...step.env, CAIRN_REVIEWER: reviewer };
    const plain = plainStep({ ...others, id: `${step.id}/${reviewer}`, agent: reviewer, run, env }, around);
    add({ ...plain, reviewer }, run, around.path, result);
  }
  const join = joinStep(id, members, step, around);
  add({ ...join, review: { quorum, reviewers: members } }, undefined, around.path, result);
}

function expandNested(step: StepSource, around: Surroundings, result: Expanded): void {
  const source = around.nested(step.workflow!, [...around.path, "workflow"]);
  if (source === undefined) return;
  const id = `${around.scope}${step.id}`;
  const inner = expand(source, {
    ...around,
    scope: `${id}/`,
    conditions: conditionsOf(step, around),
    env: { ...around.env, ...texts(step.env) },
    inputs: nestedInputs(source, step, around),
  });
  for (const plain of inner.steps) add(plain, inner.functions.get(plain.id), around.path, result);
  add(
    joinStep(
      id,
      inner.steps.map((plain) => plain.id),
      step,
      around,
    ),
    undefined,
    around.path,
    result,
  );
}

/** A nested workflow's own defaults hold unless the run has an input of that name. What it still lacks is a mistake. */
function nestedInputs(
  source: WorkflowSource,
  step: StepSource,
  around: Surroundings,
): Record<string, string> {
  const given = { ...around.inputs, ...texts(step.with) };
  for (const [name, input] of Object.entries(source.inputs ?? {})) {
    if (Object.hasOwn(given, name) || around.declared.has(name)) continue;
    if (input?.default !== undefined) given[name] = String(input.default);
    else if (input?.required) {
      around.report(
        [...around.path, "with"],
        `The workflow "${step.workflow}" needs an input "${name}".`,
        `Give it: with: { ${name}: … }`,
      );
    }
  }
  return given;
}

function joinStep(
  id: string,
  needs: readonly string[],
  { phase, about }: StepSource,
  around: Surroundings,
): Step {
  const step = {
    id,
    kind: "join" as const,
    needs: [...needs],
    ...WITHOUT_RETRIES,
    ...(about && { about }),
    ...(phase && { phase }),
    scope: around.scope,
  };
  return { ...step, fingerprint: fingerprintOf({ join: needs }) };
}

function add(step: Step, run: StepSource["run"], path: Path, { steps, functions, places }: Expanded): void {
  steps.push(step);
  places.set(step.id, path);
  if (typeof run === "function") functions.set(step.id, run);
}

function plainStep(source: StepSource, around: Surroundings): Step {
  const { about, phase, agent, run, approve, outputs, verify, timeout } = source;
  const env = { ...around.env, ...texts(source.env) };
  const conditions = conditionsOf(source, around);
  const question = typeof approve === "string" ? approve : approve?.question;
  const options = typeof approve === "object" ? approve.options : undefined;
  const step: Omit<Step, "fingerprint"> = {
    id: `${around.scope}${source.id}`,
    kind: question !== undefined ? "approval" : typeof run === "function" ? "function" : "command",
    needs: [...new Set(around.needs)],
    ...(about !== undefined && { about }),
    ...(phase !== undefined && { phase }),
    ...(agent !== undefined && { agent }),
    ...(conditions.length > 0 && { conditions }),
    ...(run !== undefined && typeof run !== "function" && { run }),
    ...(question !== undefined && { question }),
    ...(options !== undefined && { options }),
    ...(outputs !== undefined && { outputs }),
    ...(verify !== undefined && { verify }),
    ...retriesOf(source),
    ...(timeout !== undefined && { timeout_ms: parseDuration(timeout)! }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(Object.keys(around.inputs).length > 0 && { inputs: around.inputs }),
    ...(around.scope !== "" && { scope: around.scope }),
  };
  return {
    ...step,
    fingerprint: fingerprintOf({ run, question, options, outputs, verify, env, inputs: around.inputs }),
  };
}

function retriesOf({ retry }: StepSource): { retries: number; backoff_ms: number } {
  if (retry === undefined) return WITHOUT_RETRIES;
  if (typeof retry === "number") return { ...WITHOUT_RETRIES, retries: retry };
  return { retries: retry.max, backoff_ms: parseDuration(retry.backoff) ?? WITHOUT_RETRIES.backoff_ms };
}

function conditionsOf(step: StepSource, { conditions, scope }: Surroundings): Condition[] {
  return step.if === undefined ? [...conditions] : [...conditions, { text: step.if, scope }];
}

function texts(values: Readonly<Record<string, string | number | boolean>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
