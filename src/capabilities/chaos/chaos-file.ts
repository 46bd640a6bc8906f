import { dirname, resolve } from "node:path";
import { CheckpointError } from "../../core/errors.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import { MISSING, readBounded } from "../../work/machine/read-bounded.ts";
import { check } from "../../work/shape/check.ts";
import { closed, described, list, map, number, oneOf, type Shape, withMore } from "../../work/shape/shape.ts";
import { Problems } from "../../work/yaml/problems.ts";
import { MAX_DEFINITION_BYTES, readYaml } from "../../work/yaml/read-yaml.ts";
import { count, id, text } from "../../work/yaml/words.ts";
import { importModule } from "../workflow/definition/import-module.ts";
import { isModule } from "../workflow/definition/is-module.ts";
import { loadWorkflow } from "../workflow/definition/load-workflow.ts";
import {
  type CommandLine,
  commandLine,
  output,
  scalar,
  variables,
} from "../workflow/definition/source-words.ts";
import type { Workflow } from "../workflow/definition/types.ts";
import type { PlayedRun } from "./played-run.ts";
import { type ChaosFault, FAULT_NAMES } from "./schedule.ts";
import { withStandIns } from "./stand-in.ts";

/** What has to hold at the end of every run, whatever strikes: a command that ends with status 0, or a function. */
export interface ChaosInvariant {
  readonly name: string;
  readonly run?: CommandLine;
  /** True holds; anything else does not, and a text says why. */
  readonly holds?: (played: PlayedRun) => unknown;
}

/** A chaos test as people write it, in YAML or as the default export of a module. */
export interface ChaosFile {
  /** The workflow's file, beside this one. */
  readonly workflow: string;
  readonly inputs?: Readonly<Record<string, string | number | boolean>>;
  readonly agents?: "stand-in" | "as-written";
  /** What a person answers to a question: yes, no, or an option. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly faults?: readonly ChaosFault[];
  readonly runs?: number;
  readonly seed?: number;
  /** The most strikes in one run. */
  readonly events?: number;
  /** The most starts of steps in a run, and the most that a number in their results may sum up to. */
  readonly budget?: Readonly<Record<string, number>>;
  /** What a copy of the project needs; everything but .git, .cairn and node_modules unless given. */
  readonly files?: readonly string[];
  readonly invariants?: readonly ChaosInvariant[];
}

const holds: Shape<(played: PlayedRun) => unknown> = withMore<Shape<(played: PlayedRun) => unknown>>(
  {},
  {
    check: (value, path, faults) => {
      if (typeof value !== "function")
        faults.wrong(path, value, "a function", "In YAML, write a command: run: test -f out.txt");
    },
  },
);

const SHAPE: Shape<ChaosFile> = closed(
  {
    $schema: text,
    workflow: text,
    inputs: variables(scalar),
    agents: described("Whether agents and reviewers are stand-ins.", oneOf("stand-in", "as-written")),
    answers: map(text),
    faults: { ...list(oneOf(...FAULT_NAMES)), minItems: 1 },
    runs: count(1),
    seed: count(0),
    events: count(1),
    budget: map(number),
    files: list(output),
    invariants: list(closed({ name: id, run: commandLine, holds }, ["name"])),
  },
  ["workflow"],
);

/** A chaos test that was read, and its workflow with the stand-ins. */
export interface ChaosTest extends ChaosFile {
  /** As it was named. */
  readonly file: string;
  readonly definition: Workflow;
}

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
    if ((run === undefined) === (call === undefined))
      problems.add(
        ["invariants", index],
        `"${name}" needs a command or a function.`,
        "Add run: test -f out.txt",
      );
  problems.throwIfAny();
  const workflow = await loadWorkflow(resolve(dirname(path), source.workflow), { cwd, root });
  // Nobody waits between attempts here.
  const steps = workflow.steps.map((step) => ({ ...step, backoff_ms: 0 }));
  const definition = { ...workflow, steps };
  return {
    ...source,
    file,
    definition: source.agents === "as-written" ? definition : withStandIns(definition),
  };
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
