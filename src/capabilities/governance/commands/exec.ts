import { EXIT_STATUS, isCheckpointError } from "../../../core/errors.ts";
import { exec as run } from "../verbs/exec.ts";
import { oneLine, visibleJson } from "../../../core/text/visible.ts";
import type { GovernanceCommand } from "../verbs.ts";

export const exec: GovernanceCommand<"exec"> = async (context, options, output) => {
  const { command: argv, action, risk, trail } = options;
  const { cwd, project, onSignal } = context;
  try {
    const { exitCode, evidence, notSaved } = await run(project, {
      argv,
      action,
      risk,
      trail,
      cwd,
      // With --json, stdout is one document.
      out: (bytes) => (output.json ? output.draw(Buffer.from(bytes).toString("utf8")) : output.raw(bytes)),
      err: (bytes) => output.draw(Buffer.from(bytes).toString("utf8")),
      onSignal,
    });
    if (notSaved !== null)
      output.warning(
        `The command ran, but no checkpoint was saved after it: ${oneLine(notSaved).replace(/\.?$/, ".")}`,
      );
    if (output.json) output.document("exec", { evidence, exit_code: exitCode, not_saved: notSaved });
    else output.message(`evidence ${evidence}`);
    return exitCode;
  } catch (error) {
    // A person at a terminal reads it as any other error.
    if (!isCheckpointError(error, "refused") || (context.isInteractive && !output.json)) throw error;
    // The command's own statuses are passed on, so a program must be told of a refusal in another way.
    const { message, hint, details } = error;
    output.draw(
      `${visibleJson(JSON.stringify({ refused: true, message, hint, gate: details["gate"] ?? null }))}\n`,
    );
    return EXIT_STATUS.refused;
  }
};
