import { createRedactor, type Redactor } from "../../../core/redaction/redactor.ts";
import type { WorkflowContext } from "../context.ts";
import type { StepSecrets, StepSurroundings } from "../engine/step-environment.ts";

/** Masking shorter values would garble ordinary words. */
const MIN_SECRET_CHARS = 4;
/** Lines of a secret that are this long are masked too: commands may print a part of a key. */
const MIN_LINE_CHARS = 8;

/** Removes secrets from text before it is recorded. */
export function cleanerFor(
  secrets: StepSurroundings["secrets"],
  redactor?: WorkflowContext["redactor"],
  stepSecrets: StepSecrets = new Map(),
): Pick<StepSurroundings, "mask" | "clean"> {
  let general: Redactor | undefined;
  // Collected each time, because steps get theirs when they start.
  const mask = (text: string) =>
    partsOf([secrets, ...stepSecrets.values()]).reduce(
      (current, value) => current.replaceAll(value, "[secret]"),
      text,
    );
  const clean = (text: string) => {
    const masked = mask(text);
    if (masked.trim() === "") return masked;
    return (redactor ?? (general ??= createRedactor())).redactText(masked).value;
  };
  return { mask, clean };
}

/** What to look for, the longest first. */
function partsOf(secrets: readonly Readonly<Record<string, string>>[]): string[] {
  const whole = secrets
    .flatMap((each) => Object.values(each))
    .filter((value) => value.length >= MIN_SECRET_CHARS);
  const lines = whole.flatMap((value) => value.split(/[\r\n]+/)).map((line) => line.trim());
  return [...new Set([...whole, ...lines.filter((line) => line.length >= MIN_LINE_CHARS)])].toSorted(
    (a, b) => b.length - a.length,
  );
}
