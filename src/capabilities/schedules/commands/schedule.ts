import { relative, resolve } from "node:path";
import { oneLine } from "../../../core/text/visible.ts";
import { table } from "../../../work/terminal/columns.ts";
import * as verbs from "../schedules.ts";
import type { ScheduleCommand } from "../verbs.ts";

export const schedule: ScheduleCommand<"schedule"> = async ({ project }, _options, output) => {
  const found = await verbs.schedule(project);
  if (found.schedules.length === 0)
    output.message('No schedules. To add one: checkpoint schedule add "0 7 * * 1-5" FILE');
  output.result(found, () => table(found.schedules.map(row), output.columns));
};

export const scheduleAdd: ScheduleCommand<"schedule add"> = async (context, options, output) => {
  const { cwd, project } = context;
  const file = relative(project.root, resolve(cwd, options.file));
  const added = await verbs.scheduleAdd(project, { ...options, file });
  output.result(added, `${added.name} runs ${oneLine(added.file)}, next at ${timeOf(added)}`);
  if (project.shared === undefined)
    output.message("It starts while this is running: checkpoint schedule run");
};

export const scheduleRemove: ScheduleCommand<"schedule remove"> = async ({ project }, options, output) => {
  const removed = await verbs.scheduleRemove(project, options);
  output.result(removed, `Removed ${removed.name}; its runs stay.`);
};

const row = (each: verbs.ShownSchedule) => [each.name, each.cron, oneLine(each.file), `next ${timeOf(each)}`];

/** In the schedule's own zone, as people there read a clock. */
function timeOf({ next, timezone }: verbs.ShownSchedule): string {
  if (next === null) return "never";
  const time = new Date(next).toLocaleString("sv-SE", {
    timeZone: timezone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return `${time} ${timezone}`;
}
