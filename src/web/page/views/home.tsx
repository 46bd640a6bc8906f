import { Ago, anyTrail, Badge, Card, Command, Empty, Failure, Shown, TrailLink, useVerb } from "../parts.tsx";
import { Table } from "../table.tsx";
import { hrefTo } from "../route.ts";
import type { View } from "../shell.tsx";
import type { Answers, Trail } from "../shapes.ts";

interface Waiting {
  readonly status: string;
  readonly what: string;
  readonly why: string;
  readonly href: string;
  readonly action: string;
  readonly command: string | null;
  readonly at: string | null;
}

/** What waits for a person, and where everything moved last. */
export const HomeView: View = () => {
  const runs = useVerb("runs", {}, anyTrail);
  const sessions = useVerb("sessions", {}, anyTrail);
  const trails = useVerb("trails", {}, anyTrail);
  const governed = useVerb("governanceReport", { limit: 1 }, anyTrail);
  const open = (runs.result ?? []).filter(({ can_resume, status }) => can_resume && status !== "running");
  const waiting = [
    ...(trails.result ?? []).filter(({ head }) => head === null).map(ofDamaged),
    ...(governed.result?.requests ?? []).map(ofRequest),
    ...open.filter(({ status }) => status === "awaiting_approval").map(ofRun),
    ...open.filter(({ status }) => status !== "awaiting_approval").map(ofRun),
    ...(sessions.result ?? []).filter(({ status }) => /^(died|failed)$/.test(status)).map(ofSession),
  ];
  return (
    <>
      <h1>What waits for you</h1>
      {waiting.map((item) => (
        <Card
          status={item.status}
          title={<a href={item.href}>{item.what}</a>}
          at={item.at}
          hasEdge
          key={item.href + item.what}
        >
          <p class="quiet">{item.why}</p>
          <div class="row">
            <a class="button primary" href={item.href}>
              {item.action}
            </a>
            {item.command && <Command text={item.command} />}
          </div>
        </Card>
      ))}
      {[runs, sessions].map(({ error }) => error && <Failure error={error} key={error.message} />)}
      {runs.result && sessions.result && waiting.length === 0 && (
        <Empty>Nothing: no question, no interrupted work, no damage.</Empty>
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

function ofRun({ id, workflow, status, next, reason, updated_at }: Answers["runs"][number]): Waiting {
  const isQuestion = status === "awaiting_approval";
  return {
    status,
    what: `${workflow}, run ${id}`,
    why: isQuestion
      ? `It asks for your yes or no: ${next.join(", ")}`
      : (reason ?? `Next: ${next.join(", ")}`),
    href: hrefTo("run", { id }),
    action: isQuestion ? "Look and answer" : "Look and resume",
    command: isQuestion ? `checkpoint approve ${id}` : `checkpoint resume ${id}`,
    at: updated_at,
  };
}

function ofSession({ client, status, goal, trail, resume, ...seen }: Answers["sessions"][number]): Waiting {
  return {
    status,
    what: goal ?? `a session of ${client}`,
    why: `A session of ${client} was interrupted${seen.last_action ? `, after ${seen.last_action}` : ""}.`,
    href: hrefTo("trail", { name: trail }),
    action: "See how far it came",
    command: resume,
    at: seen.last_seen_at,
  };
}

type Request = Answers["governanceReport"]["requests"][number];

function ofRequest({ id, at, agent, action, reasons }: Request): Waiting {
  return {
    status: "asks",
    what: `${agent} wants to do ${action}`,
    why: reasons.join("; "),
    href: hrefTo("agents"),
    action: "Look",
    command: `checkpoint agent approve ${id}`,
    at,
  };
}

function ofDamaged({ name }: Trail): Waiting {
  return {
    status: "damaged",
    what: name,
    why: "Its newest checkpoint cannot be read. The ones before it are still there.",
    href: hrefTo("trail", { name }),
    action: "Look",
    command: "checkpoint verify",
    at: null,
  };
}
