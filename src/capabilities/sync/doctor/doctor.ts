import type { DoctorCheck } from "../../../work/project/finding.ts";
import { checkMirror } from "./check-mirror.ts";
import { checkRemotes } from "./check-remotes.ts";

/** How far the copies of the store lag. */
export const doctor: DoctorCheck = async (project, { isForeign }) => [
  ...(isForeign ? [] : await checkMirror(project)),
  ...(await checkRemotes(project)),
];
