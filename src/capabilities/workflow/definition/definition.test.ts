import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isCheckpointError } from "../../../core/errors.ts";
import { ConditionError, parseCondition } from "./condition.ts";
import { defineWorkflow } from "./define-workflow.ts";
import { checkInputs } from "./inputs.ts";
import { loadWorkflow, parseWorkflow } from "./load-workflow.ts";
import { WORKFLOW_SCHEMA } from "./check-source.ts";

const problemOf = (text: string): string => {
  try {
    parseWorkflow(text, { file: "w.yaml" });
  } catch (error) {
    if (isCheckpointError(error, "usage"))
      return [error.message, error.hint && `hint: ${error.hint}`].filter(Boolean).join("\n");
    throw error;
  }
  return "fine";
};

describe("a workflow in YAML", () => {
  it("follows the step above unless it says what it needs", () => {
    const { steps } = parseWorkflow(`
name: w
steps:
  - { id: a, run: "true" }
  - { id: b, run: [make, build] }
  - { id: c, needs: [], run: "true" }
  - { id: d, needs: [a, c], run: "true" }
`);
    expect(steps.map(({ id, needs }) => [id, needs])).toEqual([
      ["a", []],
      ["b", ["a"]],
      ["c", []],
      ["d", ["a", "c"]],
    ]);
    expect(steps[1]?.run).toEqual(["make", "build"]);
  });

  it("expands a review into its reviewers and a join", () => {
    const { steps } = parseWorkflow(`
name: w
steps:
  - { id: plan, run: "true" }
  - { id: council, review: { reviewers: [security, product], quorum: 1, run: ./review.sh } }
  - { id: build, run: "true" }
`);
    expect(steps.map(({ id, kind, needs }) => [id, kind, needs])).toEqual([
      ["plan", "command", []],
      ["council/security", "command", ["plan"]],
      ["council/product", "command", ["plan"]],
      ["council", "join", ["council/security", "council/product"]],
      ["build", "command", ["council"]],
    ]);
    expect(steps[1]).toMatchObject({
      agent: "security",
      env: { CAIRN_REVIEWER: "security" },
      reviewer: "security",
    });
  });

  it("expands a nested workflow, with its inputs, into steps of its own", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-nested-"));
    writeFileSync(
      join(folder, "inner.yaml"),
      'name: inner\ninputs: { kind: { required: true } }\nsteps:\n  - { id: one, run: "true" }\n  - { id: two, if: inputs.kind == "api" and results.one.ok, run: "true" }\n',
    );
    writeFileSync(
      join(folder, "outer.yaml"),
      'name: outer\nsteps:\n  - { id: first, run: "true" }\n  - { id: sub, workflow: inner.yaml, with: { kind: api } }\n  - { id: last, run: "true" }\n',
    );
    const { steps } = await loadWorkflow("outer.yaml", { cwd: folder });
    expect(steps.map(({ id, needs }) => [id, needs])).toEqual([
      ["first", []],
      ["sub/one", ["first"]],
      ["sub/two", ["sub/one"]],
      ["sub", ["sub/one", "sub/two"]],
      ["last", ["sub"]],
    ]);
    expect(steps[2]).toMatchObject({ inputs: { kind: "api" }, conditions: [{ scope: "sub/" }] });
    writeFileSync(join(folder, "inner.yaml"), "name: inner\nsteps:\n  - { id: me, workflow: inner.yaml }\n");
    await expect(loadWorkflow("outer.yaml", { cwd: folder })).rejects.toThrow("nested more than 8 deep");
    rmSync(folder, { recursive: true });
  });

  it("reads what a nested workflow nests from the folder of that one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-nested-"));
    mkdirSync(join(folder, "parts"));
    const nest = (name: string, file: string) =>
      `name: ${name}\nsteps: [{ id: ${name}, workflow: ${file} }]\n`;
    writeFileSync(join(folder, "outer.yaml"), nest("outer", "parts/middle.yaml"));
    writeFileSync(join(folder, "parts/middle.yaml"), nest("middle", "inner.yaml"));
    writeFileSync(join(folder, "parts/inner.yaml"), 'name: inner\nsteps: [{ id: one, run: "true" }]\n');
    const { steps } = await loadWorkflow("outer.yaml", { cwd: folder });
    expect(steps.map(({ id }) => id)).toEqual(["outer/middle/one", "outer/middle", "outer"]);
    rmSync(folder, { recursive: true });
  });

  it("reports mistakes of every kind at once: in fields, in needs, in conditions, in a nested file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-mistakes-"));
    writeFileSync(join(folder, "inner.yaml"), "name: inner\nsteps:\n  - { id: one, run: 5 }\n");
    writeFileSync(
      join(folder, "w.yaml"),
      `name: w
inputs: { kind: }
steps:
  - { id: plan, run: "true", timeout: 5 }
  - { id: build, needs: [paln], run: "true" }
  - { id: test, if: inputs.kidn == "api" and results.plan.ok, run: "true" }
  - { id: sub, workflow: inner.yaml }
  - { id: last, run: "true" }
`,
    );
    const error = await loadWorkflow("w.yaml", { cwd: folder }).catch((refused: Error) => refused);
    expect((error as Error).message).toMatchInlineSnapshot(`
      "w.yaml:4:30: 5 is not a length of time.
        Write it like this: 500ms, 5s, 10m or 1h30m
      w.yaml:5:18: Step "build" needs "paln", which is not a step.
        Did you mean "plan"?
      w.yaml:6:17: There is no input "kidn".
        Did you mean "kind"?
      inner.yaml:3:16: 5 is not a command.
        Write it like this: ./build.sh for the shell, or the words of a program: [make, build]"
    `);
    rmSync(folder, { recursive: true });
  });

  it("names file, line, column and remedy of everything that is wrong", () => {
    expect(
      problemOf(`name: w
steps:
  - id: a
    run: "true"
    timeout: 5
  - id: b
    rnu: "true"
`),
    ).toMatchInlineSnapshot(`
      "w.yaml:5:5: 5 is not a length of time.
        Write it like this: 500ms, 5s, 10m or 1h30m
      w.yaml:6:5: "b" does nothing.
        Give it one of run, approve, review, wait or workflow
      w.yaml:7:5: There is no field "rnu" here.
        Did you mean "run"?"
    `);
    expect(problemOf("name: w\nsteps:\n  - { id: a, needs: [biuld], run: x }\n  - { id: build, run: x }"))
      .toMatchInlineSnapshot(`
      "w.yaml:3:14: Step "a" needs "biuld", which is not a step.
      hint: Did you mean "build"?"
    `);
    expect(problemOf("name: w\nsteps: [\n")).toContain("w.yaml:3:1: This is not valid YAML");
    expect(problemOf("name: w\nsteps:\n  - { id: ../x, run: y }")).toContain('"../x" is not a name.');
  });

  it("blames only the second of two steps of one name, and a step without a name does not hide the rest", () => {
    expect(
      problemOf(`name: w
steps:
  - { id: a, run: x }
  - { id: a, run: x }
  - { run: x }
  - { id: c, needs: [nowhere], run: x }
  - { id: council, if: inputs.kind, review: { reviewers: [x, y], run: x } }
`),
    ).toMatchInlineSnapshot(`
      "w.yaml:4:7: Two steps are called "a".
        Give each its own name
      w.yaml:5:5: "id" is missing.
        Add it: id: …
      w.yaml:6:14: Step "c" needs "nowhere", which is not a step.
        The steps are a, steps[2], c, council/x, council/y, council
      w.yaml:7:20: There is no input "kind".
        Declare it: inputs: { kind: { required: true } }"
    `);
  });

  it("draws a circle", () => {
    expect(
      problemOf(
        "name: w\nsteps:\n  - { id: plan, needs: [test], run: x }\n  - { id: build, needs: [plan], run: x }\n  - { id: test, needs: [build], run: x }",
      ),
    ).toMatchInlineSnapshot(`
      "w.yaml:3:17: These steps wait for each other:
        plan needs test
          test needs build
            build needs plan
              ↺ back to plan
      hint: Remove one of the needs, for example "test" from the needs of "plan""
    `);
  });

  it("refuses conditions that cannot be read, that ask before the answer is there, or that would tell a secret", () => {
    const withIf = (condition: string) =>
      problemOf(
        `name: w\ninputs: { kind: {}, key: { secret: true } }\nsteps:\n  - { id: a, needs: [], run: x }\n  - { id: b, needs: [], if: '${condition}', run: x }`,
      );
    expect(withIf("inputs.kind = 1")).toContain(
      '"=" is not expected here.\n  inputs.kind = 1\n              ^',
    );
    expect(withIf("results.a.ok")).toContain('"b" asks about "a", but does not wait for it.');
    expect(withIf("inputs.key == 1")).toContain("secret");
    expect(withIf("process.exit")).toContain('"process" is not known in a condition.');
    expect(withIf("inputs.knd")).toContain('hint: Did you mean "kind"?');
  });

  it("changes a step's fingerprint with what it does, not with where it stands", () => {
    const print = (run: string, needs: string) =>
      parseWorkflow(`name: w\nsteps:\n  - { id: a, run: x }\n  - { id: b, needs: [${needs}], run: ${run} }`)
        .steps[1]?.fingerprint;
    expect(print("y", "")).toBe(print("y", "a"));
    expect(print("y", "a")).not.toBe(print("z", "a"));
  });

  it("refuses an alias bomb", () => {
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ...["b", "c", "d", "e", "f"].map(
        (name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcde"[index]}`).join(",")}]`,
      ),
    ].join("\n");
    expect(problemOf(bomb)).toContain("This YAML cannot be read");
  });
});

describe("the JSON Schema", () => {
  it("is published as a file that editors can use", () => {
    const file = join(import.meta.dirname, "../../../../schemas/workflow.schema.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(JSON.stringify(WORKFLOW_SCHEMA)));
  });
});

describe("defineWorkflow", () => {
  it("takes functions, and refuses what it cannot run", () => {
    const workflow = defineWorkflow({ name: "w", steps: [{ id: "a", run: () => 1 }] });
    expect(workflow.steps[0]?.kind).toBe("function");
    expect(workflow.functions.size).toBe(1);
    expect(() => defineWorkflow({ name: "w", steps: [{ id: "a" }] })).toThrow('steps[0]: "a" does nothing.');
  });

  it("refuses a function as verify: only a command can be run after a crash", () => {
    const verify = (() => true) as unknown as string;
    expect(() => defineWorkflow({ name: "w", steps: [{ id: "a", run: "make", verify }] })).toThrow(
      "steps[0].verify: A function is not a command.",
    );
  });
});

describe("inputs", () => {
  const workflow = {
    name: "w",
    inputs: {
      feature: { required: true, secret: false },
      key: { required: true, secret: true },
      level: { required: false, secret: false, default: "1" },
    },
  };
  it("are apart from secrets, have defaults, and are missed by name", () => {
    expect(checkInputs(workflow, { feature: "x", key: "s" })).toEqual({
      plain: { feature: "x", level: "1" },
      secret: { key: "s" },
    });
    expect(() => checkInputs(workflow, { feature: "x" })).toThrow('needs a value for "key"');
    expect(() => checkInputs(workflow, { featre: "x" })).toThrow('has no input "featre"');
  });
});

describe("conditions", () => {
  const ask = (text: string) =>
    parseCondition(text).holds(
      (path) => ({ "inputs.kind": "docs", "inputs.n": "3", "results.a/b.ok": true })[path.join(".")] ?? null,
    );
  it("compare, and join by and, or, not", () => {
    expect(
      [
        "inputs.kind == 'docs'",
        "inputs.n > 2 and inputs.n <= 3",
        'not (inputs.kind != "docs")',
        'results["a/b"].ok == true',
        "inputs.gone == null",
        "inputs.gone or inputs.kind",
      ].map(ask),
    ).toEqual([true, true, true, true, true, true]);
    const untrue = ["inputs.n == 4", "inputs.gone", "inputs.kind < 3", "false"];
    expect(untrue.filter(ask)).toEqual([]);
  });
  it("take the names of inherited properties as names", () => {
    expect(parseCondition("constructor").names).toEqual([["constructor"]]);
  });
  it("are read or refused, whatever is thrown at them", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect(outcomeOf(text)).toMatch(/^(?:true|false|refused)$/);
      }),
    );
  });
});

function outcomeOf(text: string): string {
  try {
    return String(parseCondition(text).holds(() => null));
  } catch (error) {
    return error instanceof ConditionError ? "refused" : String(error);
  }
}
