import { CheckpointError } from "../../core/errors.ts";
import { suggest } from "../../core/text/suggest.ts";
import type { Project } from "../../work/project/project.ts";
import type { InputOf } from "../../work/verbs/field.ts";
import { secretInputs } from "../workflow/definition/inputs.ts";
import { inputVariable } from "../workflow/engine/step-environment.ts";
import { checkRunId } from "../workflow/runner/run-id.ts";
import { checkTyped, givenInputs } from "../workflow/terminal/inputs.ts";
import { chooseWorkflow } from "../workflow/verbs/choose-workflow.ts";
import { gates } from "../../work/project/gate.ts";
import { hasStore } from "../../work/project/find-project.ts";
import { trustSchedule } from "../../work/project/trust.ts";
import { openSchedules } from "./book.ts";
import { checkCron, nextDue, wordsOf, type Schedule } from "./schedule.ts";
import type { SCHEDULES } from "./verbs.ts";

/** A schedule, and when it is due next. */
export type ShownSchedule = Schedule & { readonly next: string | null };

const MOST_SCHEDULES = 200;

/** All schedules, by name. */
export async function schedule(project: Project): Promise<{ readonly schedules: readonly ShownSchedule[] }> {
  if (!hasStore(project)) return { schedules: [] };
  const { schedules } = await openSchedules(await project.stores.open(project, "read"));
  return { schedules: schedules.map((each) => shown(each, project.now())) };
}

/** Adds a schedule, or changes the one of that name. The workflow and its inputs are checked now, not at the first time. */
export async function scheduleAdd(
  project: Project,
  { cron, file, name, timezone, input = [], missed = "last" }: InputOf<(typeof SCHEDULES)["schedule add"]>,
): Promise<ShownSchedule> {
  const zone = timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  checkCron(cron, zone);
  const { workflow } = await chooseWorkflow(project, { cwd: project.root, file });
  const inputs = givenInputs(input);
  const stored = secretInputs(workflow).find((secret) => inputs[secret] !== undefined);
  if (stored !== undefined) throw isSecret(stored);
  checkTyped(workflow, inputs);
  const now = project.now();
  const added: Schedule = {
    name: checkRunId(name ?? workflow.name),
    cron,
    timezone: zone,
    file: workflow.file ?? file,
    inputs,
    missed,
    after: now.toISOString(),
    by: project.actor.signature,
  };
  const cairn = await project.stores.open(project, "create", "run.step");
  const { trail } = await openSchedules(cairn);
  await trail.commit(
    (state) => {
      const others = state.schedules.filter((each) => each.name !== added.name);
      if (others.length >= MOST_SCHEDULES) throw tooMany();
      state.schedules = [...others, added].toSorted((a, b) => a.name.localeCompare(b.name, "en"));
    },
    { trigger: "schedule", notes: `${added.name}: ${cron}` },
  );
  const { folder, env, actor } = project;
  // Where a project is governed, it would run with the rights of the one who starts what is due.
  if (!gates.has(cairn) || actor.signature === "person")
    await trustSchedule({ cairn, folder, env }, wordsOf(added));
  return shown(added, now);
}

export async function scheduleRemove(
  project: Project,
  { name }: InputOf<(typeof SCHEDULES)["schedule remove"]>,
): Promise<ShownSchedule> {
  const { trail, schedules } = await openSchedules(await project.stores.open(project, "write", "run.step"));
  const removed = schedules.find((each) => each.name === name);
  if (removed === undefined) throw unknown(name, schedules);
  await trail.commit(
    (state) => {
      state.schedules = state.schedules.filter((each) => each.name !== name);
    },
    { trigger: "schedule", notes: `${name}: removed` },
  );
  return shown(removed, project.now());
}

const shown = (each: Schedule, now: Date): ShownSchedule => ({
  ...each,
  next: nextDue(each, now)?.toISOString() ?? null,
});

function isSecret(input: string): CheckpointError {
  return new CheckpointError("usage", `"${input}" is a secret input: a schedule would store it.`, {
    hint: `Set $${inputVariable(input)} where the run runs, and leave it out here.`,
  });
}

function unknown(name: string, schedules: readonly Schedule[]): CheckpointError {
  const near = suggest(
    name,
    schedules.map((each) => each.name),
  );
  return new CheckpointError("not-found", `There is no schedule "${name}".`, {
    hint: near === undefined ? "checkpoint schedule" : `Did you mean "${near}"?`,
    details: { name },
  });
}

function tooMany(): CheckpointError {
  return new CheckpointError("usage", `There are ${MOST_SCHEDULES} schedules already.`, {
    hint: "checkpoint schedule remove NAME",
  });
}
