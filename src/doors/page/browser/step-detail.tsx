import { identityWords } from "../../../work/state/run-words.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { verb } from "./api.ts";
import { Ago, Command, Hint, TrailLink } from "./parts.tsx";
import { Action } from "./action.tsx";
import { RunLog } from "./run-log.tsx";
import type { Run } from "./shapes.ts";
import { Table } from "./table.tsx";
import { asLine, bytes } from "./words.ts";

/** A step: what it was given, what it gave, who answered it and why, what it printed, and how to run it again. */
export function StepDetail({ run, id, canChange }: { run: Run; id: string; canChange: boolean }) {
  const step = run.definition.find((each) => each.id === id);
  const state = run.steps.find((each) => each.id === id);
  if (!step) return <p class="quiet">This run has no step {id}.</p>;
  const { decision, result } = state ?? {};
  const files = Object.values(run.artifacts).filter((file) => file.step === id);
  const facts = [
    step.about && ["About", step.about],
    step.run && ["Runs", <code>{typeof step.run === "string" ? step.run : asLine(step.run)}</code>],
    step.needs.length > 0 && ["After", step.needs.join(", ")],
    ...Object.entries({ ...run.inputs, ...step.inputs }).map(([name, value]) => [
      <>
        Input <span class="mono">{name}</span>
      </>,
      value,
    ]),
    step.question && ["Question", step.question],
    decision && [
      "Answer",
      <>
        <strong class={decision.approved ? "good" : "bad"}>
          {decision.option ?? (decision.approved ? "approved" : "rejected")}
        </strong>{" "}
        by {decision.by} ({identityWords(decision)}) <Ago at={decision.at} />
        {decision.reason && <div>because {decision.reason}</div>}
      </>,
    ],
    state?.reason && ["Why", state.reason],
    result !== undefined && result !== null && ["Result", <code>{asLine(result)}</code>],
  ].filter((fact) => Array.isArray(fact));
  const redo = async () => {
    const { isRunning, message, hint } = await verb("resume", { run: run.id, redo: id });
    if (isRunning) return "A new run repeats it: it is the newest of Runs.";
    return [message || "A new run repeated it: it is the newest of Runs.", " ", hint && <Hint text={hint} />];
  };
  return (
    <section aria-label={`Step ${id}`}>
      <h2>Step {id}</h2>
      <Table rows={facts} empty={<p class="quiet">It has no inputs and no result.</p>} />
      {files.length > 0 && (
        <>
          <Table
            title="Files it made"
            columns={["File", "#Size", "SHA-256"]}
            rows={files.map(({ path, sha256, size_bytes }) => [
              <span class="mono">{path}</span>,
              bytes(size_bytes),
              <code class="quiet small">{sha256}</code>,
            ])}
          />
          <Command text={`checkpoint artifacts ${shellWord(run.id)} --verify`} />
        </>
      )}
      {step.kind === "command" && state && <RunLog run={run.id} step={id} key={id} />}
      {state && canChange && (
        <Action
          label="Run again from here"
          about="Starts a new run that repeats this step and what follows from it. This run stays as it is."
          run={redo}
        />
      )}
      {state && !canChange && (
        <Command text={`checkpoint resume ${shellWord(run.id)} --redo ${shellWord(id)}`} />
      )}
      {run.forked_from && (
        <p class="quiet small">
          This run continues <TrailLink name={`run/${run.forked_from.run}`} />
          {run.forked_from.step && ` from step ${run.forked_from.step}`}.
        </p>
      )}
    </section>
  );
}
