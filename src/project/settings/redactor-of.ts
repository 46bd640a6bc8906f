import { createRedactor, type Redactor } from "../../redaction/redactor.ts";
import type { Project } from "../project.ts";
import { settingsOf } from "./settings.ts";

/** The general rules with the project's own. */
export async function redactorOf(project: Project): Promise<Redactor> {
  const { redact, redact_allow } = await settingsOf(project);
  return createRedactor({ extraPatterns: redact, allow: redact_allow });
}
