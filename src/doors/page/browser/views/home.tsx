import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { shellWord } from "../../../../core/text/shell-word.ts";
import { Filter, isWanted } from "../fields.tsx";
import { Ago, anyTrail, Badge, Card, Command, Empty, Failure, Shown, TrailLink, useVerb } from "../parts.tsx";
import { Questions } from "../question.tsx";
import { hrefTo } from "../route.ts";
import type { Answers, RunSummary, Trail, View } from "../shapes.ts";
import { Conditions, Standing } from "../standing.tsx";
import { List, Table } from "../table.tsx";
import { countWords } from "../words.ts";

/** More would hide the rest of the view: their own view has all. */
const MOST_WAITING = 10;

/** Where the work stands, what waits for a person, who is at work, and where everything moved last. */
export const HomeView: View = ({ about, query }) => {
  const standing = useVerb("standing", {}, anyTrail);
  const runs = useVerb("runs", {}, anyTrail);
  const sessions = useVerb("sessions", {}, anyTrail);
  const trails = useVerb("trails", {}, anyTrail);
  const governed = useVerb("governanceReport", { limit: 5 }, anyTrail);
  // Told here, because an answered question is gone.
  const [answered, setAnswered] = useState<ComponentChildren>();
  const answers = [standing, runs, sessions, trails, governed];
  const failed = answers.find(({ error }) => error !== undefined);
  const isThere = answers.every(({ result }) => result !== undefined);
  const asking = (runs.result ?? []).filter(({ questions }) => questions.length > 0);
  const waiting = [
    ...(trails.result ?? []).filter(({ head }) => head === null).map(damaged),
    ...(governed.result?.requests ?? []).map(request),
    ...(runs.result ?? []).filter((run) => stands(run) && run.questions.length === 0).map(openRun),
    ...(sessions.result ?? []).filter(({ status }) => /^(died|failed)$/.test(status)).map(brokenSession),
  ];
  if (standing.result === null) return NOTHING_YET;
  if (failed?.error)
    return (
      <>
        <h1>The work cannot be read</h1>
        <Failure error={failed.error} />
      </>
    );
  if (!isThere || !standing.result) return <h1 class="quiet">Reading the work …</h1>;
  return (
    <>
      <Standing stands={standing.result} />
      <div class="columns">
        <div>
          <h2>Waits for you</h2>
          <div role="status">{answered}</div>
          {asking.slice(0, MOST_WAITING).map(({ id }) => (
            <Questions key={id} run={id} isReadOnly={about?.isReadOnly !== false} onAnswered={setAnswered} />
          ))}
          {waiting.slice(0, MOST_WAITING).map(waitingCard)}
          {more(asking.length - MOST_WAITING, "question", "runs")}
          {more(waiting.length - MOST_WAITING, "thing", "runs")}
          {waiting.length + asking.length === 0 && (
            <p class="quiet">Nothing: no question and no interrupted work.</p>
          )}
        </div>
        <div>
          <AtWork sessions={sessions.result ?? []} runs={runs.result ?? []} />
          <Conditions stands={standing.result} />
          <Violations report={governed.result} />
        </div>
      </div>
      <h2>Trails</h2>
      <Shown answer={trails}>
        {(found) => (
          <>
            <Filter view="home" query={query} />
            <Table
              columns={["Trail", "Last checkpoint", "#Checkpoints", "#Moved"]}
              rows={found
                .filter(({ name, head }) => isWanted(query, name, head?.notes ?? head?.trigger ?? "damaged"))
                .map(({ name, is_current, checkpoints, head }) => [
                  [<TrailLink name={name} />, " ", is_current && <span class="badge quiet">current</span>],
                  head ? <span class="quiet">{head.notes ?? head.trigger}</span> : <Badge status="damaged" />,
                  checkpoints.toLocaleString(),
                  <Ago at={head?.created_at} />,
                ])}
            />
          </>
        )}
      </Shown>
    </>
  );
};

const NOTHING_YET = (
  <>
    <h1>Nothing was saved in this project yet</h1>
    <Empty command='checkpoint goal "…"'>
      The first checkpoint is made when a goal is set, an agent works, or a workflow runs. To begin:
    </Empty>
  </>
);

const more = (count: number, what: string, view: string) =>
  count > 0 && (
    <p>
      <a href={hrefTo(view)}>and {countWords(count, `${what} more`, `${what}s more`)}</a>
    </p>
  );

const stands = ({ status }: RunSummary) => !/^(running|completed|cancelled|archived)$/.test(status);

/** Who is live at this moment, and at what. */
function AtWork(props: { sessions: Answers["sessions"]; runs: readonly RunSummary[] }) {
  const live = props.sessions.filter(({ status }) => /^(working|waiting)$/.test(status));
  const running = props.runs.filter(({ status }) => status === "running");
  const items = [
    ...live.map(({ id, client, status, goal, tasks, last_action, last_seen_at }) => [
      <Badge status={status} />,
      <a href={hrefTo("session", { id })}>{goal ?? `a session of ${client}`}</a>,
      tasks.active ?? last_action ?? client,
      last_seen_at,
    ]),
    ...running.map(({ id, workflow, next, completed, total, updated_at }) => [
      <Badge status="running" />,
      <a href={hrefTo("run", { id })}>{`${workflow}, run ${id}`}</a>,
      `${completed} of ${total} steps${next.length > 0 ? `; next: ${next.join(", ")}` : ""}`,
      updated_at,
    ]),
  ] as [ComponentChildren, ComponentChildren, string, string][];
  return (
    <section>
      <h2>At work now</h2>
      {items.length === 0 && <p class="quiet">No agent and no run.</p>}
      <List
        class="marked good"
        items={items.map(([badge, link, doing, at]) => [
          link,
          " ",
          badge,
          <div class="small quiet">
            {doing} · <Ago at={at} />
          </div>,
        ])}
      />
    </section>
  );
}

/** What agents tried although it was not permitted. */
function Violations({ report }: { report: Answers["governanceReport"] | undefined }) {
  if (!report || report.violations.length === 0) return null;
  return (
    <section>
      <h2>
        <a href={hrefTo("agents")}>Violations</a>
      </h2>
      <List
        class="marked bad"
        items={report.violations
          .toReversed()
          .map(({ agent, action, what, at }) => [
            <strong>{agent}</strong>,
            ` tried ${action ?? "something"}: ${what} `,
            <Ago at={at} />,
          ])}
      />
    </section>
  );
}

/** One thing that waits: what it is and why, the view where it is dealt with, and the command that does it. */
interface Waiting {
  readonly status: string;
  readonly what: string;
  readonly why: string;
  readonly href: string;
  readonly action?: string;
  readonly command: string | null;
  readonly at?: string | null;
}

function waitingCard({ status, what, why, href, action = "Look", command, at }: Waiting) {
  return (
    <Card status={status} title={<a href={href}>{what}</a>} at={at} hasEdge key={status + href + what}>
      <p class="quiet">{why}</p>
      <div class="row">
        <a class="button primary" href={href}>
          {action}
        </a>
        {command && <Command text={command} />}
      </div>
    </Card>
  );
}

function openRun({ id, workflow, status, next, reason, updated_at }: RunSummary): Waiting {
  const run = { status, what: `${workflow}, run ${id}`, href: hrefTo("run", { id }), at: updated_at };
  const command = status === "corrupt" ? "verify" : `resume ${shellWord(id)}`;
  return { ...run, why: reason ?? `Next: ${next.join(", ")}`, command: `checkpoint ${command}` };
}

function brokenSession(session: Answers["sessions"][number]): Waiting {
  const { id, client, status, goal, resume, last_action, last_seen_at } = session;
  return {
    status,
    what: goal ?? `a session of ${client}`,
    why: `A session of ${client} was interrupted${last_action ? `, after ${last_action}` : ""}.`,
    href: hrefTo("session", { id }),
    action: "See how far it got",
    command: resume,
    at: last_seen_at,
  };
}

function request(asked: Answers["governanceReport"]["requests"][number]): Waiting {
  const { id, at, agent, action, reasons, needs_authority } = asked;
  const only = needs_authority ? " Only the authority can approve it." : "";
  return {
    status: "asks",
    what: `${agent} asks to do ${action}`,
    why: `${reasons.join("; ")}${only}`,
    href: hrefTo("agents"),
    command: `checkpoint agent approve ${shellWord(id)}`,
    at,
  };
}

const damaged = ({ name }: Trail): Waiting => ({
  status: "damaged",
  what: name,
  why: "Its newest checkpoint cannot be read.",
  href: hrefTo("trail", { name }),
  command: "checkpoint verify",
});
