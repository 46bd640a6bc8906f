import { createRedactor, type Redactor } from "../../redaction/redactor.ts";
import type { WorkflowContext } from "../context.ts";
import type { StepSurroundings } from "../engine/step-environment.ts";

/** Masking shorter values would garble ordinary words. */
const MIN_SECRET_CHARS = 4;
/** Lines of a secret that are this long are masked too: commands may print a part of a key. */
const MIN_LINE_CHARS = 8;

/** Removes secrets from text before it is recorded. */
export function cleanerFor(
  secrets: StepSurroundings["secrets"],
  redactor?: WorkflowContext["redactor"],
): Pick<StepSurroundings, "mask" | "clean"> {
  const whole = Object.values(secrets).filter((value) => value.length >= MIN_SECRET_CHARS);
  const lines = whole.flatMap((value) => value.split(/[\r\n]+/)).map((line) => line.trim());
  const values = [...new Set([...whole, ...lines.filter((line) => line.length >= MIN_LINE_CHARS)])].toSorted(
    (a, b) => b.length - a.length,
  );
  let general: Redactor | undefined;
  const mask = (text: string) =>
    values.reduce((current, value) => current.replaceAll(value, "[secret]"), text);
  const clean = (text: string) => {
    const masked = mask(text);
    if (masked.trim() === "") return masked;
    return (redactor ?? (general ??= createRedactor())).redactText(masked).value;
  };
  return { mask, clean };
}
