import { CheckpointError, EXIT_STATUS, isCheckpointError } from "../../../core/errors.ts";
import { OpenStores } from "../../../work/project/open-stores.ts";
import { trustNewRun } from "../../../work/project/trust.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import type { RunnerOptions } from "../../workflow/runner/runner.ts";
import { inputVariable } from "../../workflow/engine/step-environment.ts";
import { startRun } from "../../workflow/runner/start-run.ts";
import { secretInputs } from "../../workflow/definition/inputs.ts";
import type { Environment } from "../../../work/machine/environment.ts";
import { type BeginRun, fireDue } from "../fire-due.ts";
import type { ScheduleCommand } from "../verbs.ts";

/** How often it looks for what is due. */
const LOOK_MS = 1000;

/** Runs are begun here, and go on beside each other; Ctrl-C pauses those under way. */
export const scheduleRun: ScheduleCommand<"schedule run"> = async (context, _options, output) => {
  if (context.project.shared !== undefined) throw workersDoThat();
  const waiting = interruptibleWait(context);
  const { signal } = waiting;
  // It may outlive the store, which may be restored meanwhile.
  const stores = new OpenStores({ reopens: true });
  const project = { ...context.project, stores };
  const underWay = new Set<Promise<void>>();
  const begin: BeginRun = async (workflows, workflow, { runId, inputs }) => {
    await trustNewRun(workflows, runId);
    const { promise: begun, resolve, reject } = Promise.withResolvers<boolean>();
    const onEvent: RunnerOptions["onEvent"] = ({ type }) => type === "run-started" && resolve(true);
    const start = { runId, inputs: { ...secretsFrom(context.env, secretInputs(workflow)), ...inputs } };
    const running = startRun(workflows, workflow, { ...start, onEvent, signal }).then(
      ({ status }) => output.message(`${context.now().toISOString()} ${runId} ${status}`),
      (error: unknown) => (isCheckpointError(error, "conflict") ? resolve(false) : reject(error)),
    );
    underWay.add(running);
    void running.finally(() => underWay.delete(running));
    return begun;
  };
  const started: string[] = [];
  output.message("Starting what is due. Ctrl-C ends it, and pauses the runs under way.");
  try {
    while (!signal.aborted) {
      for (const run of await fireDue(project, begin)) {
        started.push(run);
        output.message(`${context.now().toISOString()} ${run} started`);
      }
      await waiting.wait(LOOK_MS);
    }
    await Promise.all(underWay);
  } finally {
    await stores.close();
  }
  output.result({ started }, "");
  return EXIT_STATUS.interrupted;
};

function secretsFrom(env: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[inputVariable(name)];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function workersDoThat(): CheckpointError {
  return new CheckpointError("usage", "In a shared store workers start what is due.", {
    hint: "checkpoint worker",
  });
}
