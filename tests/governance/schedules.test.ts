import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import { wordsOf } from "../../src/capabilities/schedules/schedule.ts";
import { scheduleAdd } from "../../src/capabilities/schedules/schedules.ts";
import { openRuns } from "../../src/capabilities/workflow/verbs/open-runs.ts";
import { isTrustedSchedule } from "../../src/work/project/trust.ts";
import type { Project } from "../../src/doors/library/project.ts";
import { Governed } from "./support/governed.ts";

let box: Governed;
beforeEach(() => {
  box = new Governed({ config: "" });
});
afterEach(() => box.remove());

it("a schedule of an agent starts nothing with the rights of another one before that one agrees", async () => {
  writeFileSync(join(box.folder, "w.yaml"), "name: w\nsteps: [{ id: a, run: 'true' }]\n");
  const add = async (project: Project, name: string) => {
    const { next: _, ...added } = await scheduleAdd(project, { cron: "0 7 * * *", file: "w.yaml", name });
    return isTrustedSchedule(await openRuns(project, "read"), wordsOf(added));
  };
  expect(await add(box.as(), "ungoverned")).toBe(true);
  writeFileSync(join(box.folder, "cairn.yaml"), "governance: on\n");
  await box.found();
  const agent = await box.agent("tester", 2);
  expect(await add(box.as(undefined, agent), "governed")).toBe(false);
});
