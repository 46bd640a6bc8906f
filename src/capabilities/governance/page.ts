import * as z from "zod";
import { looks } from "../../work/project/page-verb.ts";
import { governanceReport } from "./verbs/governance-report.ts";
import { ledger } from "./verbs/ledger.ts";
import { GOVERNANCE_REPORT } from "./verbs/schemas.ts";

const LEDGER = z.strictObject({ limit: z.int().min(1).max(1000).default(500) });

/** What the page asks of governance. */
export const PAGE_VERBS = {
  ledger: looks(LEDGER, ledger),
  governanceReport: looks(GOVERNANCE_REPORT.input, governanceReport),
} as const;
