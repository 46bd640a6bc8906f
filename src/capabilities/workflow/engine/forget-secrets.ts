import { existsSync, readFileSync } from "node:fs";
import { type AttemptFolder, writeAttemptFile } from "./attempt-folder.ts";
import type { StepSurroundings } from "./step-environment.ts";

/** Takes what a vault filled in out of the files that a step leaves behind. Steps without such secrets are left alone. */
export function forgetSecrets(
  step: string,
  folder: AttemptFolder,
  { stepSecrets, mask }: Pick<StepSurroundings, "stepSecrets" | "mask">,
): void {
  if (Object.keys(stepSecrets.get(step) ?? {}).length === 0) return;
  for (const path of [folder.output, folder.result, folder.verifyLog]) {
    if (!existsSync(path)) continue;
    const text = readFileSync(path, "utf8");
    const masked = mask(text);
    if (masked !== text) writeAttemptFile(path, masked);
  }
}
