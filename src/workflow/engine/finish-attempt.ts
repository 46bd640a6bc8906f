import { join } from "node:path";
import { statSync } from "node:fs";

import { MISSING, readBounded } from "../../capture/files/read-bounded.ts";
import { setOwn, type Json } from "../../objects/json.ts";
import type { Step } from "../definition/types.ts";
import type { Artifact } from "../run/run-state.ts";
import { ended, type AttemptOutcome } from "../run/settle.ts";
import { findOutputs, readFacts, syncFolders } from "./artifacts.ts";
import { tailOf, type AttemptFolder } from "./attempt-folder.ts";
import { runCommand } from "./run-command.ts";

/** An attempt whose work has ended, and what is needed to check it. */
export interface EndedAttempt {
  readonly step: Step;
  readonly attempt: number;
  readonly folder: AttemptFolder;
  readonly root: string;
  readonly env: Record<string, string>;
  readonly now: () => Date;
  /** Remove secrets from what is recorded: see clean-text.ts. */
  readonly clean: (text: string) => string;
  readonly mask: (text: string) => string;
  /** What a step in TypeScript returned. */
  readonly returned?: Json;
}

/** A result is a message to later steps, not a data store: files are for that. */
const MAX_RESULT_BYTES = 4 * 2 ** 20;
const VERIFY_TIMEOUT_MS = 600_000;

/** Checks that a command that ended well kept its promises: its outputs exist, `verify` passes, and all is synced. */
export async function finishWell(attempted: EndedAttempt): Promise<AttemptOutcome> {
  const { step, attempt, root } = attempted;
  const failed = (reason: string) => ended("failed", attempted, reason);
  const { paths, missing, refused } = findOutputs(step.outputs ?? [], root);
  if (refused.length > 0) return failed(`Its output "${refused[0]}" is outside of the project.`);
  if (missing.length > 0) return failed(`It ended well, but wrote no file "${missing.join('", "')}".`);
  const problem = await verifyProblem(attempted);
  if (problem !== undefined) return failed(problem);
  const result = readResult(attempted);
  if ("problem" in result) return failed(result.problem);
  const artifacts = await registerArtifacts(paths, attempted);
  return { kind: "completed", step: step.id, attempt, artifacts, result: result.value };
}

/** Why `verify` does not pass; undefined when it does, or when there is none. */
export async function verifyProblem({
  step,
  folder,
  root,
  env,
  clean,
}: EndedAttempt): Promise<string | undefined> {
  if (step.verify === undefined) return undefined;
  const timeoutMs = Math.min(step.timeout_ms ?? VERIFY_TIMEOUT_MS, VERIFY_TIMEOUT_MS);
  const why = await runCommand(step.verify, { cwd: root, env, log: folder.verifyLog, timeoutMs });
  if (why === undefined) return undefined;
  const printed = clean(tailOf(folder.verifyLog, 500)).trim();
  return `Its verify did not pass: ${why}.${printed === "" ? "" : `\n${printed}`}`;
}

function readResult({ folder, returned, mask }: EndedAttempt): { value: Json } | { problem: string } {
  if (returned !== undefined) return { value: returned };
  const { bytes, problem } = readBounded(folder.result, MAX_RESULT_BYTES);
  if (bytes === undefined)
    return problem === MISSING ? { value: null } : { problem: `Its result cannot be read: ${problem}.` };
  try {
    return { value: JSON.parse(bytes.toString("utf8"), masking(mask)) as Json };
  } catch (error) {
    return { problem: `What it wrote to $CAIRN_RESULT is not JSON: ${(error as Error).message}.` };
  }
}

/** Masks parsed values rather than the text, in which secrets may be written with escapes. */
function masking(mask: (text: string) => string): (key: string, value: Json) => Json {
  return (_key, value) => {
    if (typeof value === "string") return mask(value);
    if (typeof value === "number") return mask(String(value)) === String(value) ? value : mask(String(value));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const names = Object.keys(value);
    if (names.every((name) => mask(name) === name)) return value;
    const masked: Record<string, Json> = {};
    for (const name of names) setOwn(masked, mask(name), value[name]!);
    return masked;
  };
}

async function registerArtifacts(
  paths: readonly string[],
  { step, attempt, root, now }: EndedAttempt,
): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  for (const path of paths) {
    const facts = await readFacts(root, path, { sync: true });
    if (facts) artifacts.push({ ...facts, step: step.id, attempt, at: now().toISOString() });
  }
  await syncFolders(root, paths);
  return artifacts;
}

/** Whether all outputs exist and none is older than the start of the attempt. */
export function hasNewOutputs({ step, root }: Pick<EndedAttempt, "step" | "root">, sinceMs: number): boolean {
  const { paths, missing, refused } = findOutputs(step.outputs ?? [], root);
  if (paths.length === 0 || missing.length > 0 || refused.length > 0) return false;
  return paths.every((path) => statSync(join(root, path)).mtimeMs >= sinceMs);
}
