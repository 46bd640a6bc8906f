import { CheckpointError } from "../../core/errors.ts";
import { own, parseJson } from "../../core/text/untrusted.ts";
import { readBounded } from "../../work/machine/read-bounded.ts";
import { type ChaosEvent, parseEvent } from "./schedule.ts";

const MOST_BYTES = 2 ** 16;

/** Reads the events of a schedule that an earlier report wrote. */
export function readSchedule(path: string, shown: string): ChaosEvent[] {
  const { bytes, problem } = readBounded(path, MOST_BYTES);
  const events = bytes && own(parseJson(bytes.toString("utf8")), "events");
  if (Array.isArray(events) && events.length > 0) return events.map((event) => parseEvent(String(event)));
  throw new CheckpointError("usage", `"${shown}" is not a schedule: ${problem ?? "it has no events"}.`, {
    hint: 'Write it like this: {"events": ["build#1 kill"]}',
    details: { file: shown },
  });
}
