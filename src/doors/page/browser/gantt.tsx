import { formatDuration } from "../../../core/text/duration.ts";
import { axisOf, type Span } from "./axis.ts";
import { Badge, toneOf, useTick } from "./parts.tsx";
import { hrefTo } from "./route.ts";
import { Table } from "./table.tsx";
import type { Answers, Run } from "./shapes.ts";

type StepState = Run["steps"][number];
type Attempt = Answers["runLogs"]["logs"][number];

interface ToldSpan extends Span {
  readonly tone: string;
  readonly about: string;
}

/** When each step ran and waited, attempt by attempt, on one scale. What runs at this moment ends now. */
export function Gantt(props: { run: Run; earlier: readonly Attempt[]; chosen: string | undefined }) {
  const { run, chosen } = props;
  const states = new Map(run.steps.map((step) => [step.id, step]));
  useTick(
    1000,
    run.steps.some(({ status }) => status === "running"),
  );
  const earlier = Map.groupBy(props.earlier, ({ step }) => step);
  const lanes = new Map(
    run.steps.map((step) => [
      step.id,
      [
        ...(earlier.get(step.id) ?? []).filter(({ attempt }) => attempt < step.attempt).flatMap(earlierSpan),
        ...spansOf(step),
      ],
    ]),
  );
  const all = [...lanes.values()].flat();
  const x = axisOf(all);
  const rows = run.definition.map(({ id, agent, about }) => {
    const step = states.get(id);
    const spans = lanes.get(id) ?? [];
    return [
      <>
        <a href={hrefTo("run", { id: run.id, step: id })} aria-current={id === chosen}>
          {id}
        </a>
        {(about ?? agent ?? id) !== id && <div class="quiet small">{about ?? agent}</div>}
      </>,
      [<Badge status={step?.status ?? "pending"} />, <div class="quiet small">{attemptWords(step)}</div>],
      [
        spans.length > 0 && (
          <div class="bar" role="img" aria-label={spans.map(({ about: told }) => told).join("; ")}>
            {spans.map(({ from, to, isWait, tone, about: told }, index) => (
              <span
                key={index}
                class={isWait ? `wait ${tone}` : tone}
                title={told}
                style={{ left: `${x(from)}%`, width: `${x(to) - x(from)}%` }}
              />
            ))}
          </div>
        ),
        step?.reason && <div class="quiet small">{step.reason}</div>,
      ],
      <span class="quiet small">{spans.length > 0 && formatDuration(worked(spans))}</span>,
    ];
  });
  const total =
    all.length > 0 && Math.max(...all.map(({ to }) => to)) - Math.min(...all.map(({ from }) => from));
  return (
    <div class="gantt">
      <Table columns={["Step", "State", "Time", "#Took"]} rows={rows} />
      {total !== false && (
        <p class="quiet small">
          {formatDuration(total)} in all. Times in which no step works are drawn shorter than they were.
        </p>
      )}
    </div>
  );
}

/** Without waits, unless it only waited. */
function worked(spans: readonly Span[]): number {
  const working = spans.filter(({ isWait }) => !isWait);
  return (working.length > 0 ? working : spans).reduce((sum, { from, to }) => sum + to - from, 0);
}

/** An attempt before the newest one, which the run itself has forgotten. */
function earlierSpan({ attempt, status, started_at, ended_at }: Attempt): ToldSpan[] {
  if (started_at === null || ended_at === null) return [];
  const [from, to] = [Date.parse(started_at), Date.parse(ended_at)];
  return [{ from, to, isWait: false, tone: "bad", about: told(attempt, status, to - from) }];
}

const told = (attempt: number, status: string, tookMs: number) =>
  `attempt ${attempt}: ${status.replaceAll("_", " ")}, ${formatDuration(Math.max(0, tookMs))}`;

function spansOf({ status, started_at, ended_at, retry_at, attempt, decision }: StepState): ToldSpan[] {
  if (!started_at) return [];
  const from = Date.parse(started_at);
  const isWait = status === "awaiting_approval" || decision !== undefined;
  const isOpen = status === "running" || status === "awaiting_approval";
  const to = isOpen ? Date.now() : Math.max(from, Date.parse(decision?.at ?? ended_at ?? started_at));
  const tone = isWait ? "warn" : status === "running" ? "live" : toneOf(status);
  const about = isWait
    ? `waited ${formatDuration(to - from)} for an answer`
    : told(attempt, status, to - from);
  const retry = Date.parse(retry_at ?? "");
  const pause = `waits ${formatDuration(Math.max(0, retry - to))} for the next attempt`;
  return [
    { from, to, isWait, tone, about },
    ...(retry > to ? [{ from: to, to: retry, isWait: true, tone: "quiet", about: pause }] : []),
  ];
}

function attemptWords(step: StepState | undefined): string {
  if (step === undefined || step.attempt < 2) return "";
  return `attempt ${step.attempt}${step.crashes ? `, ${step.crashes} interrupted` : ""}`;
}
