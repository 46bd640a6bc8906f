import { Badge, toneOf, useTick } from "./parts.tsx";
import type { Run } from "./shapes.ts";
import { duration } from "./words.ts";

type StepState = Run["steps"][number];

/** When each step ran, on one scale. What runs at this moment ends now. */
export function Gantt(props: { run: Run; chosen: string | undefined; choose: (step: string) => unknown }) {
  const { run } = props;
  const states = new Map(run.steps.map((step) => [step.id, step]));
  useTick(
    1000,
    run.steps.some(({ status }) => status === "running"),
  );
  const starts = run.steps.flatMap(({ started_at }) => (started_at ? [Date.parse(started_at)] : []));
  const start = Math.min(...starts);
  const end = Math.max(...run.steps.map(endOf), start + 1);
  return (
    <table class="gantt">
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">State</th>
          <th scope="col" class="wide">
            {starts.length > 0 && `${duration(end - start)} in all`}
          </th>
          <th scope="col" class="number">
            Took
          </th>
        </tr>
      </thead>
      <tbody>
        {run.definition.map(({ id, kind, agent, about }) => {
          const step = states.get(id);
          return (
            <tr key={id} class={id === props.chosen ? "chosen" : undefined}>
              <th scope="row">
                {step && kind === "command" ? (
                  <button type="button" class="link" onClick={() => props.choose(id)} title="What it printed">
                    {id}
                  </button>
                ) : (
                  id
                )}
                {(about ?? agent ?? id) !== id && <div class="quiet small">{about ?? agent}</div>}
              </th>
              <td>
                <Badge status={step?.status ?? "pending"} />
                <div class="quiet small">{attemptWords(step)}</div>
              </td>
              <td>
                {step?.started_at && <Bar step={step} start={start} end={end} />}
                {step?.reason && <div class="quiet small">{step.reason}</div>}
              </td>
              <td class="number quiet small">
                {step?.started_at && duration(endOf(step) - Date.parse(step.started_at))}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function endOf({ started_at, ended_at, status }: StepState): number {
  if (ended_at) return Date.parse(ended_at);
  if (started_at === undefined) return 0;
  return status === "running" ? Math.max(Date.now(), Date.parse(started_at)) : Date.parse(started_at);
}

function attemptWords(step: StepState | undefined): string {
  if (step === undefined || step.attempt < 2) return "";
  return `attempt ${step.attempt}${step.crashes ? `, ${step.crashes} interrupted` : ""}`;
}

function Bar({ step, start, end }: { step: StepState; start: number; end: number }) {
  const share = (at: number) => `${(100 * (at - start)) / (end - start)}%`;
  const from = Date.parse(step.started_at ?? "");
  return (
    <div class={`bar ${step.status === "running" ? "live" : toneOf(step.status)}`}>
      <span style={{ left: share(from), width: share(start + Math.max(0, endOf(step) - from)) }} />
    </div>
  );
}
