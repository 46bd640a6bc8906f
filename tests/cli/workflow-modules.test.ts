import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

const WORKFLOW = pathToFileURL(join(import.meta.dirname, "../../dist/doors/library/workflow/index.js")).href;

/** A module that cannot be loaded, and what its author is told. */
const MISTAKES: Readonly<Record<string, readonly [module: string, said: string]>> = {
  "a syntax error": [
    "const a = 1;\nexport const workflow = {{ ;\n",
    "flow.ts:2: SyntaxError: Unexpected token",
  ],
  "an import of a file that is not there": [
    'const a = 1;\nimport { x } from "./nowhere.ts";\n',
    "flow.ts: Error: Cannot find module",
  ],
  "an import of a package that is not installed": [
    'import { x } from "not-installed";\n',
    "flow.ts: Error: Cannot find package 'not-installed'",
  ],
  "an import that the other file does not export": [
    'import { nope } from "./other.ts";\n',
    "flow.ts:1: SyntaxError: The requested module './other.ts' does not provide an export named 'nope'",
  ],
  "an enum": ["enum Color {\n  Red,\n}\n", "flow.ts:1: SyntaxError: TypeScript enum is not supported"],
  "an error of its own": [
    'function read() {\n  throw new RangeError("no API key");\n}\nread();\nexport {};\n',
    "flow.ts:2:9: RangeError: no API key",
  ],
  "an error in what it imports": ['import "./throws.ts";\n', "throws.ts:2:7: Error: no network"],
  "mistakes in its definition": [
    `import { defineWorkflow } from "${WORKFLOW}";\n\nexport const workflow = defineWorkflow({\n  name: "w",\n  steps: [{ id: "a", rnu: "x", run: "x" }, { id: "a", run: "x" }] as never,\n});\n`,
    'flow.ts:3: steps[0].rnu: There is no field "rnu" here.\n  Did you mean "run"?\nflow.ts:3: steps[1].id: Two steps are called "a".\n  Give each its own name\n',
  ],
  "a text that it throws": ['throw "just a text";\nexport {};\n', "flow.ts: thrown: just a text"],
};

it.each(Object.entries(MISTAKES))(
  "a workflow module with %s: the author's own error, with its place",
  (_, case_) => {
    const [module, said] = case_;
    box.write("flow.ts", module);
    box.write("other.ts", "export const a = 1;\n");
    box.write("throws.ts", '\nthrow new Error("no network");\nexport {};\n');
    const { status, stderr } = box.run(["run", "flow.ts"]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(`error: ${said}`) });
    expect(stderr).not.toContain("bug in Cairn");
  },
);

it("a dry run loads no program unless that is wanted, and says what it would load", () => {
  box.write(
    "flow.ts",
    `import { writeFileSync } from "node:fs";
import { defineWorkflow } from "${WORKFLOW}";
writeFileSync("loaded", "");
export const workflow = defineWorkflow({ name: "w", steps: [{ id: "a", run: "true" }] });
`,
  );
  const loaded = () => existsSync(join(box.folder, "loaded"));
  expect(box.see("run", "flow.ts", "--dry-run").replaceAll(WORKFLOW, "LIBRARY")).toMatchInlineSnapshot(`
    "! error: "flow.ts" is a program: to plan its workflow, its code has to run. It would load:
    !   PROJECT/flow.ts
    !   node:fs, which it imports
    !   LIBRARY, which it imports
    ! hint: Read it. If you want it to be loaded: checkpoint run flow.ts --dry-run --yes
    [exit 4]"
  `);
  expect(loaded()).toBe(false);
  expect(box.see("run", "flow.ts", "--dry-run", "--yes")).toContain("A new run of w would do 1 step:");
  expect(loaded()).toBe(true);
  expect(box.run(["run", "nowhere.ts", "--dry-run"]).status).toBe(3);
});

it("a dry run loads no program that is too long to be read for it", () => {
  box.write(
    "long.mjs",
    `import { writeFileSync } from "node:fs";\nwriteFileSync("loaded", "");\n//${"x".repeat(2 ** 20)}`,
  );
  const { status, stderr } = box.run(["run", "long.mjs", "--dry-run"]);
  expect({ status, stderr }).toMatchObject({ status: 4, stderr: expect.stringContaining("is a program") });
  expect(existsSync(join(box.folder, "loaded"))).toBe(false);
});

it("a project without the package gets the one of the command that runs", () => {
  const flow = (name: string) => `import { defineWorkflow } from "cairn-checkpoint/workflow";
export const workflow = defineWorkflow({ name: "${name}", steps: [{ id: "a", run: () => ({ by: "${name}" }) }] });
`;
  box.write("flow.ts", flow("global"));
  expect(box.runAlone(["run", "flow.ts"])).toMatchObject({ status: 0 });
  box.write("other.mjs", flow("plain"));
  expect(box.runAlone(["run", "other.mjs"])).toMatchObject({ status: 0 });
  box.write(
    "old.cjs",
    `const { defineWorkflow } = require("cairn-checkpoint/workflow");
exports.workflow = defineWorkflow({ name: "old", steps: [{ id: "a", run: () => ({}) }] });
`,
  );
  expect(box.runAlone(["run", "old.cjs"])).toMatchObject({ status: 0 });
  // What the project has itself goes first.
  box.write(
    "node_modules/cairn-checkpoint/package.json",
    JSON.stringify({ exports: { "./workflow": "./w.js" } }),
  );
  box.write(
    "node_modules/cairn-checkpoint/w.js",
    'exports.defineWorkflow = () => { throw new Error("the own one"); };',
  );
  box.write("third.ts", flow("own"));
  expect(box.runAlone(["run", "third.ts"]).stderr).toContain("the own one");
});

it("a part that the package does not have is named", () => {
  box.write("flow.ts", 'import "cairn-checkpoint/nothing";\n');
  const { status, stderr } = box.runAlone(["run", "flow.ts"]);
  expect(status).toBe(2);
  expect(stderr).toContain("flow.ts: Error: Package subpath './nothing' is not defined");
});
