import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../../work/machine/environment.ts";
import { startWorkspace, type WorkspaceCapture } from "../../../work/capture/git/git-workspace.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import type { Admission, Governance } from "../gate/governance.ts";
import type { GateAnswer } from "../gate/refusal.ts";
import type { GateQuestion } from "../gate/decide.ts";
import type { Risk } from "../policy/policy.ts";
import type { EntryOf } from "../state/entry.ts";
import type { ResolvedSecrets } from "../../vault/secret-references.ts";
import { saveEvidence, type EvidencePackage } from "./evidence.ts";
import { identifyCommand } from "./identify-command.ts";
import { fixCommand, writtenPlanDigest } from "./plan-digest.ts";
import { runCommand, type CommandStreams } from "./run-command.ts";

export interface ExecInput {
  readonly argv: readonly string[];
  /** What the caller calls it. The gate asks for what this needs, and for what the command itself needs. */
  readonly action?: string | undefined;
  readonly risk?: Risk | undefined;
}

/** What running a command takes from outside. */
export interface ExecWorld extends CommandStreams {
  readonly cwd: string;
  readonly root: string;
  readonly env: Environment;
  /** Who asks, and what is known besides. */
  readonly admission: (question: GateQuestion) => Promise<Admission>;
  /** Saves a checkpoint of the work before what is risky, in the commit that the gate decides in. */
  readonly checkpointBefore: (admission: Admission) => Promise<void>;
  /** Fills in what the environment refers to; what the gate does not allow needs none. */
  readonly resolveSecrets: (env: Environment, answer: GateAnswer) => Promise<ResolvedSecrets>;
  /** Takes secrets out of what is stored. */
  readonly redact: (evidence: JsonObject) => Promise<JsonObject>;
}

export interface ExecResult {
  readonly exitCode: number;
  readonly evidence: string;
  readonly package: EvidencePackage;
}

/** Runs a command if the gate allows it, and keeps the evidence. What is refused is not started. */
export async function governedExec(
  governance: Governance,
  { argv, action, risk }: ExecInput,
  world: ExecWorld,
): Promise<ExecResult> {
  if (argv.length === 0)
    throw new CheckpointError("usage", "There is no command to run.", {
      hint: "checkpoint exec -- npm test",
    });
  const command = identifyCommand(argv);
  const place = { argv, cwd: world.cwd, env: world.env };
  const fixed = fixCommand(place, command);
  try {
    const alias = action === command.action ? undefined : action;
    const asked = { action: command.action, alias, digest: fixed.digest };
    const admission = await world.admission({ ...asked, risk: risk === "high" ? risk : command.risk });
    const expected = await governance.ask(admission);
    // Resolved before the start is recorded: what cannot be resolved is not started.
    const secrets = expected.decision === "allow" ? await world.resolveSecrets(fixed.env, expected) : {};
    const env = { ...fixed.env, ...secrets };
    const before = await seen(world);
    const start = `run-${randomBytes(6).toString("hex")}`;
    const { action: name, agent } = expected;
    const entry = (): EntryOf<"start"> => {
      const at = governance.ledger.at;
      return { type: "start", at, agent, start, action: name, digest: fixed.digest };
    };
    // In the commit that allows it, so that it is durable before the command starts.
    const starting = { ...admission, entries: () => [entry()] };
    if (expected.risk === "high") await world.checkpointBefore(starting);
    else await governance.act(starting);
    const startedAt = governance.ledger.at;
    const ran = await runCommand(fixed.argv, { program: fixed.program, cwd: world.cwd, env }, world);
    const after = await seen(world);
    const { tier, attested, approval = null } = expected;
    const { exitCode, signal, problem = null, output } = ran;
    const permission = { agent, tier, attested, action: name, approval };
    const what = { digest: fixed.digest, argv, cwd: world.cwd, started_at: startedAt };
    const outcome = { exit_code: exitCode, signal, problem, output };
    const found: EvidencePackage = {
      schema: "cairn/evidence@1",
      ...permission,
      ...what,
      ...outcome,
      plan_digest: writtenPlanDigest(place, command) ?? null,
      environment: Object.keys(env).toSorted(),
      git: after.workspace ?? null,
      ended_at: governance.ledger.at,
      ...changedFiles(before, after),
    };
    const redacted = await world.redact(withoutSecrets(found, Object.values(secrets)));
    const evidence = redacted as unknown as EvidencePackage;
    const id = await saveEvidence(governance, evidence, start).catch((cause: unknown) => {
      throw notRecorded(exitCode, start, cause);
    });
    return { exitCode, evidence: id, package: evidence };
  } finally {
    fixed.release();
  }
}

/** It ran, whatever else went wrong: nobody should run it again because the error sounds as if it had not. */
function notRecorded(exitCode: number, start: string, cause: unknown): CheckpointError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CheckpointError(
    "failed",
    `The command ran and ended with status ${exitCode}, but its evidence could not be recorded: ${why}`,
    { hint: "checkpoint ledger verify", details: { exit_code: exitCode, start }, cause },
  );
}

interface Seen extends WorkspaceCapture {
  readonly stamps: ReadonlyMap<string, string>;
}

async function seen({ root, env }: ExecWorld): Promise<Seen> {
  const capture = await startWorkspace({ root, env }).finish();
  const stamps = capture.files_touched.map((path) => [path, stampOf(join(root, path))] as const);
  return { ...capture, stamps: new Map(stamps) };
}

function stampOf(path: string): string {
  const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${size}`;
}

/** How many files a record names. */
const MOST_FILES = 200;

/** Files that git sees as changed, and that were not, or not like this, before. */
function changedFiles(before: Seen, after: Seen): Pick<EvidencePackage, "files_changed" | "more_files"> {
  const isNew = (path: string) => before.stamps.get(path) !== after.stamps.get(path);
  const paths = new Set([...before.stamps.keys(), ...after.stamps.keys()]);
  const changed = [...paths].filter(isNew).toSorted();
  const more_files = Math.max(0, changed.length - MOST_FILES);
  return { files_changed: changed.slice(0, MOST_FILES), more_files };
}

/** Secrets that we put there ourselves are known exactly; the redactor finds the others. */
function withoutSecrets(evidence: object, secrets: readonly string[]): JsonObject {
  const known = secrets.filter((secret) => secret !== "");
  const without = (text: string, secret: string) => text.replaceAll(secret, "[redacted:vault]");
  const clean = (_key: string, value: unknown) =>
    typeof value === "string" ? known.reduce(without, value) : value;
  return JSON.parse(JSON.stringify(evidence, clean)) as JsonObject;
}
