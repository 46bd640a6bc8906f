/** Runs that start by the clock, for programs. */
export * from "./schedules.ts";
export type { Schedule } from "./schedule.ts";
