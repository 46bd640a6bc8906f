import * as z from "zod";
import { checkpointId, checkpointInfo, notes, trail } from "../schema-parts.ts";

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
