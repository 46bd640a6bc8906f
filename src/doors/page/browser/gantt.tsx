import { formatDuration } from "../../../core/text/duration.ts";
import { Badge, Bar, toneOf, useTick } from "./parts.tsx";
import { hrefTo } from "./route.ts";
import { Table } from "./table.tsx";
import type { Run } from "./shapes.ts";

type StepState = Run["steps"][number];

/** When each step ran, on one scale. What runs at this moment ends now. */
export function Gantt({ run, chosen }: { run: Run; chosen: string | undefined }) {
  const states = new Map(run.steps.map((step) => [step.id, step]));
  const isRunning = run.steps.some(({ status }) => status === "running");
  useTick(1000, isRunning);
  const starts = run.steps.flatMap(({ started_at }) => (started_at ? [Date.parse(started_at)] : []));
  const start = Math.min(...starts);
  const end = Math.max(...run.steps.map(endOf), start + 1);
  const barOf = (step: StepState) => {
    const from = Date.parse(step.started_at ?? "");
    const share = (ms: number) => (100 * ms) / (end - start);
    const tone = step.status === "running" ? "live" : toneOf(step.status);
    return <Bar from={share(from - start)} size={share(Math.max(0, endOf(step) - from))} tone={tone} />;
  };
  const rows = run.definition.map(({ id, kind, agent, about }) => {
    const step = states.get(id);
    return [
      <>
        {step && kind === "command" ? (
          <a href={hrefTo("run", { id: run.id, step: id })} aria-current={id === chosen}>
            {id}
          </a>
        ) : (
          id
        )}
        {(about ?? agent ?? id) !== id && <div class="quiet small">{about ?? agent}</div>}
      </>,
      [<Badge status={step?.status ?? "pending"} />, <div class="quiet small">{attemptWords(step)}</div>],
      [step?.started_at && barOf(step), step?.reason && <div class="quiet small">{step.reason}</div>],
      <span class="quiet small">
        {step?.started_at && formatDuration(endOf(step) - Date.parse(step.started_at))}
      </span>,
    ];
  });
  return (
    <div class="gantt">
      <Table columns={["Step", "State", "Time", "#Took"]} rows={rows} />
      {starts.length > 0 && <p class="quiet small">{formatDuration(end - start)} in all</p>}
    </div>
  );
}

function endOf({ started_at, ended_at, status }: StepState): number {
  const known = Date.parse(ended_at ?? started_at ?? "") || 0;
  return status === "running" ? Math.max(Date.now(), known) : known;
}

function attemptWords(step: StepState | undefined): string {
  if (step === undefined || step.attempt < 2) return "";
  return `attempt ${step.attempt}${step.crashes ? `, ${step.crashes} interrupted` : ""}`;
}
