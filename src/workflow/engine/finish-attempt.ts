import { join } from "node:path";
import { statSync } from "node:fs";

import { readBounded } from "../../capture/files/read-bounded.ts";
import { setOwn, type Json } from "../../objects/json.ts";
import type { Step } from "../definition/types.ts";
import type { Artifact } from "../run/run-state.ts";
import type { Outcome } from "../run/settle.ts";
import { findOutputs, readFacts, syncFolders } from "./artifacts.ts";
import { tailOf, type AttemptFolder } from "./attempt-folder.ts";
import { runCommand } from "./run-command.ts";

export interface Finishing {
  readonly step: Step;
  readonly attempt: number;
  readonly folder: AttemptFolder;
  readonly root: string;
  readonly env: Record<string, string>;
  readonly now: () => Date;
  /** Take secrets out of what is going to be recorded: see clean-text.ts. */
  readonly clean: (text: string) => string;
  readonly mask: (text: string) => string;
  /** What a step in TypeScript returned. */
  readonly returned?: Json;
}

/** A result is a message to later steps, not a data store: files are for that. */
const MAX_RESULT_BYTES = 4 * 2 ** 20;
const VERIFY_TIMEOUT_MS = 600_000;

/** Proves that a command that ended well did what it promised: outputs are there, `verify` passes, all is synced. */
export async function finishWell(finishing: Finishing): Promise<Outcome> {
  const { step, attempt, root } = finishing;
  const failed = (reason: string): Outcome => ({ kind: "failed", step: step.id, attempt, reason });
  const { paths, missing, refused } = findOutputs(step.outputs ?? [], root);
  if (refused.length > 0) return failed(`Its output "${refused[0]}" is outside of the project.`);
  if (missing.length > 0) return failed(`It ended well, but wrote no file "${missing.join('", "')}".`);
  const problem = await verifyProblem(finishing);
  if (problem !== undefined) return failed(problem);
  const result = readResult(finishing);
  if ("problem" in result) return failed(result.problem);
  const artifacts = await registerArtifacts(paths, finishing);
  return { kind: "completed", step: step.id, attempt, artifacts, result: result.value };
}

/** Why `verify` does not pass, or undefined when it does, or when there is none. */
export async function verifyProblem({
  step,
  folder,
  root,
  env,
  clean,
}: Finishing): Promise<string | undefined> {
  if (step.verify === undefined) return undefined;
  const timeoutMs = Math.min(step.timeout_ms ?? VERIFY_TIMEOUT_MS, VERIFY_TIMEOUT_MS);
  const why = await runCommand(step.verify, { cwd: root, env, log: folder.verifyLog, timeoutMs });
  if (why === undefined) return undefined;
  const said = clean(tailOf(folder.verifyLog, 500)).trim();
  return `Its verify did not pass: ${why}.${said === "" ? "" : `\n${said}`}`;
}

function readResult({ folder, returned, mask }: Finishing): { value: Json } | { problem: string } {
  if (returned !== undefined) return { value: returned };
  const { bytes, problem } = readBounded(folder.result, MAX_RESULT_BYTES);
  if (bytes === undefined)
    return problem === "there is no such file"
      ? { value: null }
      : { problem: `Its result cannot be read: ${problem}.` };
  try {
    return { value: JSON.parse(bytes.toString("utf8"), masking(mask)) as Json };
  } catch (error) {
    return { problem: `What it wrote to $CAIRN_RESULT is not JSON: ${(error as Error).message}.` };
  }
}

/** Takes secrets out of what was read, not out of its text: there they may be written with escapes. */
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
  { step, attempt, root, now }: Finishing,
): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  for (const path of paths) {
    const facts = await readFacts(root, path, { sync: true });
    if (facts) artifacts.push({ ...facts, step: step.id, attempt, at: now().toISOString() });
  }
  await syncFolders(root, paths);
  return artifacts;
}

/** Whether all outputs are there and none is older than the start of the attempt. */
export function hasNewOutputs({ step, root }: Pick<Finishing, "step" | "root">, sinceMs: number): boolean {
  if (step.outputs === undefined || step.outputs.length === 0) return false;
  const { paths, missing, refused } = findOutputs(step.outputs, root);
  if (missing.length > 0 || refused.length > 0) return false;
  return paths.every((path) => statSync(join(root, path)).mtimeMs >= sinceMs);
}
