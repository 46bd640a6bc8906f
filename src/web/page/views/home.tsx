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
  const open = (runs.result ?? []).filter(({ can_resume, status }) => can_resume && status !== "running");
  const waiting = [
    ...(trails.result ?? []).filter(({ head }) => head === null).map(damaged),
    ...(governed.result?.requests ?? []).map(request),
    ...open.filter(({ status }) => status === "awaiting_approval").map(openRun),
    ...open.filter(({ status }) => status !== "awaiting_approval").map(openRun),
    ...(sessions.result ?? []).filter(({ status }) => /^(died|failed)$/.test(status)).map(brokenSession),
  ];
  return (
    <>
      <h1>What waits for you</h1>
      {waiting}
      {[runs, sessions, governed].map(({ error }, index) => error && <Failure error={error} key={index} />)}
      {runs.result && sessions.result && trails.result && governed.result && waiting.length === 0 && (
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

/** One thing that waits: what it is and why, the view where it is dealt with, and the command that does it. */
function Waits(props: {
  status: string;
  what: string;
  why: string;
  href: string;
  action: string;
  command: string | null;
  at?: string | null;
}) {
  const { status, what, why, href, action, command, at } = props;
  return (
    <Card status={status} title={<a href={href}>{what}</a>} at={at} hasEdge>
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

function openRun({ id, workflow, status, next, reason, updated_at }: RunSummary) {
  const isQuestion = status === "awaiting_approval";
  const steps = next.join(", ");
  return (
    <Waits
      key={`run ${id}`}
      status={status}
      what={`${workflow}, run ${id}`}
      why={isQuestion ? `It asks for your yes or no: ${steps}` : (reason ?? `Next: ${steps}`)}
      href={hrefTo("run", { id })}
      action={isQuestion ? "Look and answer" : "Look and resume"}
      command={isQuestion ? `checkpoint approve ${id}` : `checkpoint resume ${id}`}
      at={updated_at}
    />
  );
}

function brokenSession({ client, status, goal, trail, resume, ...seen }: Answers["sessions"][number]) {
  return (
    <Waits
      key={trail}
      status={status}
      what={goal ?? `a session of ${client}`}
      why={`A session of ${client} was interrupted${seen.last_action ? `, after ${seen.last_action}` : ""}.`}
      href={hrefTo("trail", { name: trail })}
      action="See how far it got"
      command={resume}
      at={seen.last_seen_at}
    />
  );
}

function request({ id, at, agent, action, reasons }: Answers["governanceReport"]["requests"][number]) {
  return (
    <Waits
      key={id}
      status="asks"
      what={`${agent} asks to do ${action}`}
      why={reasons.join("; ")}
      href={hrefTo("agents")}
      action="Look"
      command={`checkpoint agent approve ${id}`}
      at={at}
    />
  );
}

const damaged = ({ name }: Trail) => (
  <Waits
    key={`trail ${name}`}
    status="damaged"
    what={name}
    why="Its newest checkpoint cannot be read. The ones before it are still there."
    href={hrefTo("trail", { name })}
    action="Look"
    command="checkpoint verify"
  />
);
