import * as z from "zod";
import { notes, trail } from "../schema-parts.ts";
import { MAX_TEXT } from "../sentence.ts";

/** What saving a checkpoint takes. */
export const NOW = {
  input: z.strictObject({
    notes: notes.describe("Why you save, for whoever reads the list."),
    variables: z
      .record(z.string().min(1).max(200), z.union([z.string().max(MAX_TEXT), z.number(), z.boolean()]))
      .optional()
      .describe("Values to keep until they are changed, such as a region or a build number."),
    trail,
  }),
};
