import { shellWord } from "../../../../core/text/shell-word.ts";
import { Ago, anyTrail, Badge, Card, Command, Empty, Failure, Shown, TrailLink, useVerb } from "../parts.tsx";
import { Table } from "../table.tsx";
import { hrefTo } from "../route.ts";
import type { Answers, RunSummary, Trail, View } from "../shapes.ts";

/** What waits for a person, and where everything moved last. */
export const HomeView: View = () => {
  const runs = useVerb("runs", {}, anyTrail);
  const sessions = useVerb("sessions", {}, anyTrail);
  const trails = useVerb("trails", {}, anyTrail);
  const governed = useVerb("governanceReport", { limit: 1 }, anyTrail);
  const asks = ({ questions }: RunSummary) => questions.length > 0;
  const stands = ({ status }: RunSummary) => !/^(running|completed|cancelled|archived)$/.test(status);
  const all = runs.result ?? [];
  const waiting = [
    ...(trails.result ?? []).filter(({ head }) => head === null).map(damaged),
    ...(governed.result?.requests ?? []).map(request),
    ...all.filter(asks).map(openRun),
    ...all.filter((run) => stands(run) && !asks(run)).map(openRun),
    ...(sessions.result ?? []).filter(({ status }) => /^(died|failed)$/.test(status)).map(brokenSession),
  ];
  return (
    <>
      <h1>What waits for you</h1>
      {waiting.map(waitingCard)}
      {[runs, sessions, governed].map(({ error }, index) => error && <Failure error={error} key={index} />)}
      {runs.result && sessions.result && trails.result && governed.result && waiting.length === 0 && (
        <Empty>Nothing: no question and no interrupted work.</Empty>
      )}
      <h2>Trails</h2>
      <Shown answer={trails}>
        {(found) => (
          <Table
            columns={["Trail", "Last checkpoint", "#Checkpoints", "#Moved"]}
            rows={found.map(({ name, is_current, checkpoints, head }) => [
              [<TrailLink name={name} />, " ", is_current && <span class="badge quiet">current</span>],
              head ? <span class="quiet">{head.notes ?? head.trigger}</span> : <Badge status="damaged" />,
              checkpoints.toLocaleString(),
              <Ago at={head?.created_at} />,
            ])}
            empty={<Empty command='checkpoint goal "…"'>Nothing was saved in this project yet.</Empty>}
          />
        )}
      </Shown>
    </>
  );
};

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

function openRun({ id, workflow, status, next, questions, reason, updated_at }: RunSummary): Waiting {
  const run = { status, what: `${workflow}, run ${id}`, href: hrefTo("run", { id }), at: updated_at };
  if (questions.length > 0)
    return {
      ...run,
      why: `It asks for your yes or no: ${questions.join(", ")}`,
      action: "Look and answer",
      command: `checkpoint approve ${shellWord(id)}`,
    };
  const command = status === "corrupt" ? "verify" : `resume ${shellWord(id)}`;
  return { ...run, why: reason ?? `Next: ${next.join(", ")}`, command: `checkpoint ${command}` };
}

function brokenSession(session: Answers["sessions"][number]): Waiting {
  const { client, status, goal, trail, resume, last_action, last_seen_at } = session;
  return {
    status,
    what: goal ?? `a session of ${client}`,
    why: `A session of ${client} was interrupted${last_action ? `, after ${last_action}` : ""}.`,
    href: hrefTo("trail", { name: trail }),
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
