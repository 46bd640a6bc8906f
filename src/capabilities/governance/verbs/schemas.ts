import * as z from "zod";

/** What the verbs about governance take. */
export const GOVERNANCE_REPORT = {
  input: z.strictObject({
    limit: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe("How many violations and evidence packages, the newest (50 otherwise)."),
    verify: z.boolean().optional().describe("Also check the whole ledger: 20 ms for every 1,000 entries."),
  }),
};
