import type { Cairn } from "../../work/state/cairn.ts";
import type { Schedule } from "./schedule.ts";

/** The whole state of the trail. */
interface ScheduleBook {
  schedules: Schedule[];
}

const TRAIL = "schedules";

export async function openSchedules(cairn: Cairn) {
  const initial: ScheduleBook = { schedules: [] };
  const trail = cairn.trail<ScheduleBook>(TRAIL, { initial });
  const isThere = (await cairn.store.head(TRAIL)) !== undefined;
  const { schedules } = isThere ? (await trail.load()).state : initial;
  return { trail, schedules };
}

/** Notes the last time that was dealt with. Never goes back: another machine may have been further. */
export async function noteDue(
  { trail }: Awaited<ReturnType<typeof openSchedules>>,
  name: string,
  due: Date,
): Promise<void> {
  const after = due.toISOString();
  await trail.commit(
    (state) => {
      state.schedules = state.schedules.map((each) =>
        each.name === name && each.after < after ? { ...each, after } : each,
      );
    },
    { trigger: "schedule", notes: `${name} is due`, ifChanged: true },
  );
}
