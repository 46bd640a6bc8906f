import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";

import { MISSING, readBounded } from "../../../work/machine/read-bounded.ts";
import { setOwn, type Json } from "../../../core/objects/json.ts";
import type { Step } from "../definition/types.ts";
import type { AttemptFacts } from "../run/judge.ts";
import type { Artifact } from "../run/run-state.ts";
import { ended, type AttemptOutcome } from "../run/settle.ts";
import { findOutputs, readFileFacts, syncFolders } from "./artifacts.ts";
import { makeFolder, tailOf, type AttemptFolder } from "./attempt-folder.ts";
import type { Attempt } from "./engine.ts";
import { environmentOf, type StepSurroundings } from "./step-environment.ts";
import { wordsOf } from "./wrapper.ts";

/** A result is a message to later steps, not a data store: files are for that. */
const MAX_RESULT_BYTES = 4 * 2 ** 20;
const VERIFY_TIMEOUT_MS = 600_000;

/**
 * Checks that a step that ended well kept its promises: its outputs exist, `verify` passes, and all is synced.
 * `returned` is the result of a step in TypeScript.
 */
export async function finishWell(
  attempted: Attempt,
  around: StepSurroundings,
  returned?: Json,
): Promise<AttemptOutcome> {
  const { step, attempt, folder } = attempted;
  const failed = (reason: string) => ended("failed", attempted, reason);
  const { paths, missing, refused } = findOutputs(step.outputs ?? [], around.root);
  if (refused.length > 0) return failed(`Its output "${refused[0]}" is outside of the project.`);
  if (missing.length > 0) return failed(`It ended well, but wrote no file "${missing.join('", "')}".`);
  const problem = await verifyProblem(attempted, around);
  if (problem !== undefined) return failed(problem);
  const result = returned === undefined ? readResult(folder, around) : { value: returned };
  if ("problem" in result) return failed(result.problem);
  const artifacts = await registerArtifacts(paths, attempted, around);
  return { kind: "completed", step: step.id, attempt, artifacts, result: result.value };
}

/** Why `verify` does not pass; undefined when it does, or when there is none. */
export async function verifyProblem(
  attempted: Attempt,
  around: StepSurroundings,
): Promise<string | undefined> {
  const { step, folder } = attempted;
  if (step.verify === undefined) return undefined;
  const [program, ...args] = wordsOf(step.verify) as [string, ...string[]];
  makeFolder(folder.path);
  const log = openSync(folder.verifyLog, "a", 0o600);
  let why: string;
  try {
    const child = spawn(program, args, {
      cwd: around.root,
      env: environmentOf(attempted, around),
      stdio: ["ignore", log, log],
      timeout: Math.min(step.timeout_ms ?? VERIFY_TIMEOUT_MS, VERIFY_TIMEOUT_MS),
      killSignal: "SIGKILL",
    });
    const [status, signal] = (await once(child, "exit")) as [number | null, string | null];
    if (status === 0) return undefined;
    why = signal === null ? `it ended with status ${status}` : `it was ended by ${signal}`;
  } catch (error) {
    why = `it could not be started (${(error as Error).message})`;
  } finally {
    closeSync(log);
  }
  const printed = around.clean(tailOf(folder.verifyLog, 500)).trim();
  return `Its verify did not pass: ${why}.${printed === "" ? "" : `\n${printed}`}`;
}

function readResult(
  { result }: AttemptFolder,
  { mask }: StepSurroundings,
): { value: Json } | { problem: string } {
  const { bytes, problem } = readBounded(result, MAX_RESULT_BYTES);
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
  { step, attempt }: Attempt,
  { root, now }: StepSurroundings,
): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  for (const path of paths) {
    const facts = await readFileFacts(root, path, { sync: true });
    if (facts) artifacts.push({ ...facts, step: step.id, attempt, at: now().toISOString() });
  }
  await syncFolders(root, paths);
  return artifacts;
}

/** What is there of the files that a step promises, compared with the start of its attempt. */
export function outputsSince(
  startedMs: number,
  { outputs = [] }: Step,
  root: string,
): AttemptFacts["outputs"] {
  if (outputs.length === 0) return "none";
  const { paths, missing, refused } = findOutputs(outputs, root);
  if (missing.length > 0) return "missing";
  const isNew = (path: string) => statSync(join(root, path)).mtimeMs >= startedMs;
  return refused.length === 0 && paths.every(isNew) ? "new" : "old";
}
