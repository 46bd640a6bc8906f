import { CheckpointError } from "../../../core/errors.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { Project } from "../project.ts";
import { openFeed } from "./feed.ts";
import type { FEED } from "./verbs.ts";

/** Moves a consumer's cursor behind an event: for consumers in other languages, and for shells. */
export async function eventsAck(
  project: Project,
  { cursor, as }: InputOf<(typeof FEED)["events ack"]>,
): Promise<{ readonly consumer: string; readonly cursor: string }> {
  if (as === undefined)
    throw new CheckpointError("usage", "Nothing says which consumer acknowledges.", {
      hint: "checkpoint events ack CURSOR --as NAME",
    });
  await (await openFeed(project, { as })).acknowledge(cursor);
  return { consumer: as, cursor };
}
