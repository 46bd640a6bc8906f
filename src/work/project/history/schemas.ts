import * as z from "zod";
import { checkpointId, checkpointInfo, count, notes, trail } from "../schema-parts.ts";

/** What the verbs that go back or branch take and give. */
const result = z.looseObject({ checkpoint: checkpointInfo });

export const RESTORE = {
  input: z.strictObject({ id: checkpointId, notes, trail }),
  result,
};
export const UNDO = { input: z.strictObject({ notes, trail }), result };
export const FORK = {
  input: z.strictObject({
    id: checkpointId.optional(),
    as: z.string().min(1).max(200).describe("The new trail's name."),
    notes,
    trail,
  }),
  result,
};

export const TAG = {
  input: z.strictObject({
    name: z.string().min(1).max(100).describe("The tag."),
    id: checkpointId.optional(),
    trail,
  }),
};
export const UNTAG = { input: TAG.input.pick({ name: true }) };

const trailName = z.string().min(1).max(200);

export const TRAILS = {
  input: z.strictObject({ prefix: z.string().max(200).optional().describe("How their names begin.") }),
  result: z.looseObject({
    trails: z.array(
      z.looseObject({
        name: z.string(),
        is_current: z.boolean(),
        checkpoints: count,
        head: checkpointInfo.nullable(),
        forked_from: checkpointInfo
          .pick({ checkpoint_id: true, trail: true, created_at: true })
          .nullable()
          .describe("The checkpoint of another trail that it goes on from."),
      }),
    ),
  }),
};
export const TRAIL_RENAME = {
  input: z.strictObject({ from: trailName, to: trailName }),
  result: z.looseObject({ from: z.string(), to: z.string(), checkpoint: checkpointInfo }),
};
export const TRAIL_DELETE = {
  input: z.strictObject({ name: trailName }),
  result: z.looseObject({ trail: z.string(), removed: count, kept: count }),
};
