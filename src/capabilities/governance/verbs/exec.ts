import { isCheckpointError } from "../../../core/errors.ts";
import type { Governance } from "../gate/governance.ts";
import { governedExec, type ExecInput, type ExecResult } from "../exec/exec.ts";
import type { CommandStreams } from "../exec/run-command.ts";
import { commitWork } from "../../../work/project/commit-work.ts";
import type { Project } from "../../../work/project/project.ts";
import { keepFilesBefore } from "../../../work/project/snapshots.ts";
import { redactorOf } from "../../../work/project/settings/settings.ts";
import { appendOutput } from "../../../work/project/work/outputs.ts";
import { admissionFor } from "../project-gate/governed-cairn.ts";
import { openGovernance } from "../project-gate/open-governance.ts";
import { preflight } from "../project-gate/preflight.ts";
import { secretsFor, withoutOwnKeys } from "../project-gate/secrets.ts";

export interface ExecOptions extends ExecInput, CommandStreams {
  readonly cwd: string;
  readonly trail?: string | undefined;
}

export interface ExecDone extends ExecResult {
  /** Why no checkpoint was saved after it: the agent was revoked while the command ran, or the trail is damaged. */
  readonly notSaved: string | null;
}

/** Runs a command if the gate allows it, with a checkpoint around it and evidence of what it did. */
export async function exec(project: Project, options: ExecOptions): Promise<ExecDone> {
  const { cwd, trail, out, err, onSignal } = options;
  const governance = await openGovernance(project, "create");
  const redactor = await redactorOf(project);
  await keepFilesBefore(project, options.argv.join(" "));
  const result = await governedExec(governance, options, {
    cwd,
    root: project.root,
    env: withoutOwnKeys(project.env),
    out,
    err,
    onSignal,
    admission: (question) => preflight(project, governance, question),
    checkpointBefore: async (admission) => {
      await commitWork(project, {
        trail,
        admission,
        trigger: "exec",
        notes: `before ${options.argv.join(" ").slice(0, 200)}`,
        fresh: {},
        change: () => {},
      });
    },
    resolveSecrets: (env, answer) => secretsFor(project, governance, { answer, env }),
    redact: async (evidence) => redactor.redact(evidence).value,
  });
  // From here on the command ran, and its status is the result, whatever goes wrong.
  try {
    return { ...result, notSaved: await saveAfter(project, governance, { trail, result }) };
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    return { ...result, notSaved: error.message };
  }
}

/** Returns why it is not allowed any more. */
async function saveAfter(
  project: Project,
  governance: Governance,
  { trail, result }: { readonly trail: string | undefined; readonly result: ExecResult },
): Promise<string | null> {
  const admission = await admissionFor(project, governance, { action: "save" });
  const { decision, reasons } = await governance.ask(admission);
  if (decision !== "allow") return reasons.join("; ");
  await checkpointAfter(project, trail, result);
  return null;
}

async function checkpointAfter(
  project: Project,
  trail: string | undefined,
  { evidence, package: ran }: ExecResult,
): Promise<void> {
  const output = {
    type: "evidence",
    id: evidence,
    action: ran.action,
    success: ran.exit_code === 0,
    timestamp: ran.ended_at,
  };
  await commitWork(project, {
    trail,
    action: "save",
    trigger: "exec",
    fresh: {},
    change: (draft) => appendOutput(draft, output),
  });
}
