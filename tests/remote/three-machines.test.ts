import { afterEach, beforeEach, expect, it } from "vitest";

import * as verbs from "../../src/doors/library/project.ts";
import { headsOf, Machines, type TestMachine } from "./support/machine.ts";

let machines: Machines;
let [anna, bert, dora]: TestMachine[] = [];
beforeEach(async () => {
  machines = new Machines();
  [anna, bert, dora] = ["anna", "bert", "dora"].map((name) => machines.add(name));
  await verbs.goal(anna!.project, { goal: "Ship the login page" });
  await verbs.remoteAdd(anna!.project, { name: "origin", url: machines.url });
  await verbs.push(anna!.project, {});
  for (const { project } of [bert!, dora!]) await verbs.clone(project, { url: machines.url });
});
afterEach(() => machines.remove());

const save = ({ project, name }: TestMachine, value: string) =>
  verbs.setVariable(project, { key: `${name}-${value}`, value });

it("leaves no line behind that was kept after a lost race and joined after a later one", async () => {
  await save(dora!, "1");
  await save(anna!, "1");
  await verbs.push(anna!.project, {});
  // Keeps anna's line; then bert moves the head, so that dora joins with a line of another name.
  await verbs.push(dora!.project, {});
  await verbs.pull(bert!.project, {});
  await save(bert!, "1");
  await verbs.push(bert!.project, {});
  await verbs.sync(dora!.project, { join: true });
  for (const { project } of [anna!, bert!, dora!]) await verbs.pull(project, {});
  const heads = await headsOf(dora!);
  expect(Object.keys(heads)).toEqual(["main"]);
  expect(await headsOf(anna!)).toEqual(heads);
  expect(await headsOf(bert!)).toEqual(heads);
});
