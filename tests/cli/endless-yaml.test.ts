import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

const ENDLESS = {
  "a list in itself": [
    "x: &a [*a]\n",
    "1:8: This YAML cannot be read: this part contains itself, by an alias.",
  ],
  "a map in itself": [
    "y: 1\nx: &a\n  b: { c: *a }\n",
    "3:8: This YAML cannot be read: this part contains itself, by an alias.",
  ],
  "a document in itself": [
    "&a\nname: w\nsteps: *a\n",
    "3:1: This YAML cannot be read: this part contains itself, by an alias.",
  ],
} as const;

describe.each(Object.entries(ENDLESS))("YAML with %s", (_what, [text, words]) => {
  it.each(["now", "doctor"])("is named by %s", (command) => {
    box.run(["now"]);
    box.write("cairn.yaml", text);
    const { status, stdout, stderr } = box.run([command]);
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain(`cairn.yaml:${words}`);
    expect(stdout + stderr).not.toContain("bug in Cairn");
  });

  it("is named by run", () => {
    box.write("w.yaml", text);
    const { status, stderr } = box.run(["run", "w.yaml"]);
    expect(status).toBe(2);
    expect(stderr).toContain(`w.yaml:${words}`);
  });
});

it("aliases that end are followed", () => {
  box.write("w.yaml", "name: w\nsteps:\n  - { id: a, run: &run [touch, x] }\n  - { id: b, run: *run }\n");
  expect(box.run(["run", "w.yaml"]).status).toBe(0);
});

it("YAML that is nested without measure is refused in words", () => {
  box.write("w.yaml", `x: ${"[".repeat(100_000)}`);
  const { status, stderr } = box.run(["run", "w.yaml"]);
  expect(stderr).toMatch(/^error: w\.yaml:1:\d+: This YAML is nested too deeply\.\n/);
  expect(status).toBe(2);
});
