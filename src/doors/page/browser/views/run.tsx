import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { shellWord } from "../../../../core/text/shell-word.ts";
import { verb } from "../api.ts";
import { Gantt } from "../gantt.tsx";
import { Badge, Command, Failure, Shown, useVerb } from "../parts.tsx";
import { Action } from "../action.tsx";
import { Questions, resumed } from "../question.tsx";
import { RunGraph } from "../run-graph.tsx";
import { StepDetail } from "../step-detail.tsx";
import type { Run, RunSummary, View } from "../shapes.ts";

/** A run as a trace: what it asks, its steps as a graph and over time, and everything about the chosen one. */
export const RunView: View = ({ query, about }) => {
  const id = query.get("id") ?? "";
  const isItsTrail = (trail: string) => trail === `run/${id}`;
  const answer = useVerb("load", { trail: `run/${id}` }, isItsTrail);
  const summaries = useVerb("runs", {}, isItsTrail);
  const earlier = useVerb("runLogs", { run: id, every_attempt: true }, isItsTrail);
  const canChange = about?.isReadOnly === false;
  // Told here, because an answered question is gone.
  const [answered, setAnswered] = useState<ComponentChildren>();
  return (
    <Shown answer={answer}>
      {({ state }) => {
        const run = { ...(state["run"] as unknown as Run), id };
        if (!run.definition) return <Failure error={new Error(`Run ${id} cannot be read.`)} />;
        // Whether its runner is still alive is known only there.
        const summary = summaries.result?.find((each) => each.id === run.id);
        const busy = run.steps.findLast(({ status }) => /^(running|failed|awaiting_approval)$/.test(status));
        const step = query.get("step") ?? (busy ?? run.steps.at(-1))?.id;
        return (
          <>
            <div class="row">
              <h1 class="grow">
                {run.workflow} <span class="quiet">{run.id}</span>
              </h1>
              {summary && (
                <span class="quiet">
                  {summary.completed} of {summary.total} steps
                </span>
              )}
              <Badge status={summary?.status ?? run.status} />
            </div>
            {run.request && <p>{run.request}</p>}
            {run.reason && <p class="quiet">{run.reason}</p>}
            <Questions run={run.id} isReadOnly={!canChange} onAnswered={setAnswered} />
            <div role="status">{answered}</div>
            <RunActions run={run} summary={summary} canChange={canChange} />
            <h2>Steps</h2>
            <RunGraph run={run} />
            <Gantt run={run} earlier={earlier.result?.logs ?? []} chosen={step} />
            {step && <StepDetail run={run} id={step} canChange={canChange} key={step} />}
          </>
        );
      }}
    </Shown>
  );
};

const OVER = ["completed", "cancelled", "archived"];

function RunActions(props: { run: Run; summary: RunSummary | undefined; canChange: boolean }) {
  const { run, summary } = props;
  if (OVER.includes(run.status)) return null;
  // A run that only waits for an answer would stop again at once.
  const canResume = summary?.can_resume === true && !/^(running|awaiting_approval)$/.test(summary.status);
  if (!props.canChange) return <Command text={`checkpoint resume ${shellWord(run.id)}`} />;
  return (
    <div class="row">
      {canResume && (
        <Action
          label="Resume"
          about="Starts a runner that resumes the run where it stopped. What is done stays done. The runner keeps working when this page is closed; Cancel ends it."
          run={async () => resumed(run.id)}
        />
      )}
      <Action
        label="Cancel"
        about={`Running steps stop and no others start. What it did stays. To run a step again later: checkpoint resume ${shellWord(run.id)} --redo STEP`}
        run={async () => verb("runCancel", { run: run.id }).then(() => "Cancelled.")}
      />
    </div>
  );
}
