import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { identityWords } from "../../../../work/state/run-words.ts";
import { shellWord } from "../../../../core/text/shell-word.ts";
import { verb } from "../api.ts";
import { Gantt } from "../gantt.tsx";
import { Ago, Badge, Command, Failure, Shown, useVerb } from "../parts.tsx";
import { Action } from "../action.tsx";
import { Table } from "../table.tsx";
import { Questions, resumed } from "../question.tsx";
import { go } from "../route.ts";
import { RunGraph } from "../run-graph.tsx";
import { RunLog } from "../run-log.tsx";
import type { Run, RunSummary, View } from "../shapes.ts";
import { bytes } from "../words.ts";

/** A run: what it asks, its steps as a graph and over time, what they print, what they made. */
export const RunView: View = ({ query, about }) => {
  const id = query.get("id") ?? "";
  const isItsTrail = (trail: string) => trail === `run/${id}`;
  const answer = useVerb("load", { trail: `run/${id}` }, isItsTrail);
  const summaries = useVerb("runs", {}, isItsTrail);
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
        const commands = run.definition.filter(({ kind }) => kind === "command").map(({ id: name }) => name);
        const printed = run.steps.filter(({ id: name }) => commands.includes(name));
        const busy = printed.findLast(({ status }) => status === "running" || status === "failed");
        const step = query.get("step") ?? (busy ?? printed.at(-1))?.id;
        const files = Object.values(run.artifacts);
        const choose = (name: string) =>
          commands.includes(name) && go("run", { id, step: name }, { replace: true });
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
            <Decisions run={run} />
            <h2>Steps</h2>
            <RunGraph run={run} choose={choose} />
            <Gantt run={run} chosen={step} />
            {step && <RunLog run={run.id} step={step} key={step} />}
            {files.length > 0 && (
              <>
                <Table
                  title="Artifacts"
                  columns={["File", "#Size", "Step", "SHA-256"]}
                  rows={files.map(({ path, sha256, size_bytes, step: maker }) => [
                    <span class="mono">{path}</span>,
                    bytes(size_bytes),
                    maker,
                    <code class="quiet small">{sha256}</code>,
                  ])}
                />
                <Command text={`checkpoint artifacts ${shellWord(run.id)} --verify`} />
              </>
            )}
          </>
        );
      }}
    </Shown>
  );
};

/** Who answered what, when and why. */
function Decisions({ run }: { run: Run }) {
  const decided = run.steps.filter(({ decision }) => decision);
  if (decided.length === 0) return null;
  return (
    <Table
      title="Answers"
      columns={["Question", "Answer", "By", "Why", "#When"]}
      rows={decided.map(({ id, decision }) => [
        run.definition.find((step) => step.id === id)?.question ?? id,
        decision!.option ?? (decision!.approved ? "approved" : "rejected"),
        `${decision!.by} (${identityWords(decision)})`,
        decision!.reason ?? "",
        <Ago at={decision!.at} />,
      ])}
    />
  );
}

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
