import { didYouMean, type Problems } from "../../../work/yaml/problems.ts";
import { valueThat } from "../../../work/yaml/words.ts";
import type { RunLimit, Workflow, WorkflowSource } from "./types.ts";

const RATE = /^(\d{1,6})\/(s|min|h|day)$/;
const WINDOW_MS = { s: 1000, min: 60_000, h: 3_600_000, day: 86_400_000 } as const;

export const rate = valueThat<string>(
  "a number of runs in a time",
  (value) => typeof value === "string" && RATE.test(value) && !value.startsWith("0"),
  "10/min, 2/s, 100/h or 5/day",
  { type: "string", pattern: RATE.source, examples: ["10/min"] },
);

/** A limit says how many, and its key is an input. */
export function checkLimit({ limit, inputs }: WorkflowSource, problems: Problems): void {
  if (limit === undefined) return;
  if (limit.at_once === undefined && limit.per === undefined)
    problems.add(["limit"], "The limit limits nothing.", "Give it at_once: 2, per: 10/min, or both");
  const known = Object.keys(inputs ?? {});
  const { key } = limit;
  if (key === undefined) return;
  if (!known.includes(key))
    problems.add(
      ["limit", "key"],
      `There is no input "${key}".`,
      didYouMean(key, known, `The inputs are ${known.join(", ")}`),
    );
  else if (inputs?.[key]?.secret)
    problems.add(
      ["limit", "key"],
      `"${key}" is a secret input, whose value is not stored.`,
      "Name another input",
    );
}

/** The limit of a run with these inputs. */
export function limitOf(
  { name, limit }: Workflow,
  inputs: Readonly<Record<string, string>>,
): RunLimit | undefined {
  if (limit === undefined) return undefined;
  const [, starts, unit] = RATE.exec(limit.per ?? "") ?? [];
  const key = limit.key === undefined ? name : `${name}/${inputs[limit.key] ?? ""}`;
  return {
    key,
    ...(limit.at_once !== undefined && { at_once: limit.at_once }),
    ...(starts !== undefined && {
      starts: Number(starts),
      window_ms: WINDOW_MS[unit as keyof typeof WINDOW_MS],
    }),
  };
}
