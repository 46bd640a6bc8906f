import { dirname, resolve } from "node:path";
import { CheckpointError } from "../../core/errors.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import { MISSING, readBounded } from "../../work/machine/read-bounded.ts";
import { check } from "../../work/shape/check.ts";
import {
  anything,
  closed,
  list,
  map,
  number,
  oneOf,
  type Shape,
  type ValueOf,
} from "../../work/shape/shape.ts";
import { Problems } from "../../work/yaml/problems.ts";
import { MAX_DEFINITION_BYTES, readYaml } from "../../work/yaml/read-yaml.ts";
import { count, id, text } from "../../work/yaml/words.ts";
import { importModule } from "../workflow/definition/import-module.ts";
import { isModule } from "../workflow/definition/is-module.ts";
import { loadWorkflow } from "../workflow/definition/load-workflow.ts";
import { commandLine, output, scalar, variables } from "../workflow/definition/source-words.ts";
import type { Workflow } from "../workflow/definition/types.ts";
import { FAULT_NAMES } from "./faults.ts";
import type { PlayedRun } from "./play.ts";
import { withStandIns } from "./stand-in.ts";

const INVARIANT = closed(
  {
    name: id,
    run: commandLine,
    /** True holds; anything else does not, and a text says why. */
    holds: anything as Shape as Shape<(played: PlayedRun) => unknown>,
  },
  ["name"],
);

const SHAPE = closed(
  {
    $schema: text,
    /** The workflow's file, beside this one. */
    workflow: text,
    inputs: variables(scalar),
    /** Whether agents and reviewers are stand-ins. */
    agents: oneOf("stand-in", "as-written"),
    /** The option that a person chooses, by question. */
    answers: map(text),
    faults: { ...list(oneOf(...FAULT_NAMES)), minItems: 1 },
    runs: count(1),
    seed: count(0),
    /** The most strikes in one run. */
    events: count(1),
    /** The most starts of steps in a run, and the most that a number in their results may sum up to. */
    budget: map(number),
    /** What a copy of the project needs; everything but .git, .cairn and node_modules unless given. */
    files: list(output),
    invariants: list(INVARIANT),
  },
  ["workflow"],
);

/** What has to hold at the end of every run, whatever strikes: a command that ends with status 0, or a function. */
export type ChaosInvariant = ValueOf<typeof INVARIANT>;

/** A chaos test as people write it, in YAML or as the default export of a module. */
export type ChaosFile = ValueOf<typeof SHAPE>;

/** A chaos test that was read. */
export type ChaosTest = ChaosFile & {
  /** As it was named. */
  readonly file: string;
  /** Its workflow, with the stand-ins. */
  readonly definition: Workflow;
};

/** Reads a chaos test. A file with steps is a workflow, which is tested as it is. */
export async function readChaosFile(
  file: string,
  { cwd, root }: { readonly cwd: string; readonly root: string },
): Promise<ChaosTest> {
  const path = resolve(cwd, file);
  const { value, problems } = await readSource(path, file);
  const isWorkflow = isRecord(value) && (value["steps"] !== undefined || value["functions"] !== undefined);
  const source = (isWorkflow ? { workflow: path } : value) as ChaosFile;
  check(source, SHAPE, problems);
  problems.throwIfAny();
  for (const [index, { name, run, holds: call }] of (source.invariants ?? []).entries())
    if ((run === undefined) !== (typeof call === "function"))
      problems.add(
        ["invariants", index],
        `"${name}" needs a command or a function.`,
        "Add run: test -f out.txt",
      );
  problems.throwIfAny();
  const workflow = await loadWorkflow(resolve(dirname(path), source.workflow), { cwd, root });
  // A test does not wait between attempts.
  const definition = { ...workflow, steps: workflow.steps.map((step) => ({ ...step, backoff_ms: 0 })) };
  const areAgentsPlayed = source.agents !== "as-written";
  return { ...source, file, definition: withStandIns(definition, { areAgentsPlayed }) };
}

async function readSource(path: string, file: string) {
  const { bytes, problem } = readBounded(path, MAX_DEFINITION_BYTES);
  if (bytes === undefined)
    throw new CheckpointError(
      problem === MISSING ? "not-found" : "usage",
      `"${file}" cannot be read: ${problem}.`,
      {
        hint: "Name a chaos test, or a workflow: checkpoint chaos build.yaml",
        details: { file },
      },
    );
  if (!isModule(path)) return readYaml(bytes.toString("utf8"), file);
  const module = await importModule(path);
  return { value: module["default"] ?? module["workflow"], problems: new Problems(file) };
}
