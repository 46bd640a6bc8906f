import { CheckpointError, EXIT_STATUS, isCheckpointError, messageOf } from "../../../core/errors.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import { OpenStores } from "../../../work/project/open-stores.ts";
import type { Project } from "../../../work/project/project.ts";
import { trustNewRun } from "../../../work/project/trust.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import type { RunnerOptions } from "../../workflow/runner/runner.ts";
import { inputVariable } from "../../workflow/engine/step-environment.ts";
import { startRun } from "../../workflow/runner/start-run.ts";
import { secretInputs } from "../../workflow/definition/inputs.ts";
import type { Environment } from "../../../work/machine/environment.ts";
import { checkSchedule, confirmSchedules } from "../terminal/confirm-schedules.ts";
import { type BeginRun, fireDue } from "../fire-due.ts";
import type { ScheduleCommand } from "../verbs.ts";

/** How often it looks for what is due. */
const LOOK_MS = 1000;

/** Runs are begun here, and go on beside each other; Ctrl-C pauses those under way. */
export const scheduleRun: ScheduleCommand<"schedule run"> = async (context, { trust }, output) => {
  if (context.project.shared !== undefined) throw workersDoThat();
  if (!hasStore(context.project)) throw noneYet();
  const waiting = interruptibleWait(context);
  const { signal } = waiting;
  // It may outlive the store, which may be restored meanwhile.
  const stores = new OpenStores({ reopens: true });
  const project = { ...context.project, stores, notices: onceEach(context.project.notices) };
  const underWay = new Set<Promise<void>>();
  const begin: BeginRun = async (workflows, workflow, { runId, inputs }) => {
    await trustNewRun(workflows, runId);
    const { promise: begun, resolve, reject } = Promise.withResolvers<boolean>();
    let hasBegun = false;
    const onEvent: RunnerOptions["onEvent"] = ({ type }) => {
      if (type !== "run-started") return;
      hasBegun = true;
      resolve(true);
    };
    const start = { runId, inputs: { ...secretsFrom(context.env, secretInputs(workflow)), ...inputs } };
    const running = startRun(workflows, workflow, { ...start, onEvent, signal }).then(
      ({ status }) => output.message(`${context.now().toISOString()} ${runId} ${status}`),
      (error: unknown) => {
        // Another process has begun it.
        if (!hasBegun && isCheckpointError(error, "conflict")) return resolve(false);
        if (hasBegun) project.notices.warning(`${runId}: ${messageOf(error)}`);
        reject(error);
      },
    );
    underWay.add(running);
    void running.finally(() => underWay.delete(running));
    return begun;
  };
  const started: string[] = [];
  try {
    await confirmSchedules(context, { project, trust }, output);
    output.message("Starting what is due. Ctrl-C ends it, and pauses the runs under way.");
    while (!signal.aborted) {
      for (const run of await fireDue(project, { begin, check: checkSchedule })) {
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

/** What cannot be started is tried again each second, and told once. */
function onceEach(notices: Project["notices"]): Project["notices"] {
  const told = new Set<string>();
  return {
    message: (text) => notices.message(text),
    warning: (text) => {
      if (told.has(text)) return;
      told.add(text);
      notices.warning(text);
    },
  };
}

function secretsFrom(env: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[inputVariable(name)];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function noneYet(): CheckpointError {
  return new CheckpointError("not-found", "There is no schedule in this project yet.", {
    hint: 'checkpoint schedule add "0 7 * * 1-5" FILE',
  });
}

function workersDoThat(): CheckpointError {
  return new CheckpointError("usage", "In a shared store workers start what is due.", {
    hint: "checkpoint worker",
  });
}
