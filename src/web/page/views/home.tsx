import { useMoves } from "../live.ts";
import { Ago, Badge, Command, Failure, Shown, TrailLink, useVerb } from "../parts.tsx";
import { hrefTo } from "../route.ts";
import type { RunSummary, Session, Trail } from "../shapes.ts";

interface Waiting {
  readonly key: string;
  readonly status: string;
  readonly what: string;
  readonly why: string;
  readonly href: string;
  readonly action: string;
  readonly command: string | null;
  readonly at: string | null;
}

/** What waits for a person, and where everything moved last. */
export function HomeView() {
  const moves = useMoves();
  const runs = useVerb<readonly RunSummary[]>("runs", {}, [moves]);
  const sessions = useVerb<readonly Session[]>("sessions", {}, [moves]);
  const trails = useVerb<readonly Trail[]>("trails", {}, [moves]);
  const waiting = [
    ...(trails.result ?? []).filter(({ head }) => head === null).map(ofDamaged),
    ...(runs.result ?? []).filter(({ can_resume, status }) => can_resume && status !== "running").map(ofRun),
    ...(sessions.result ?? [])
      .filter(({ status }) => status === "died" || status === "failed")
      .map(ofSession),
  ];
  return (
    <>
      <h1>What waits for you</h1>
      {waiting.map((item) => (
        <div class="card row" key={item.key}>
          <Badge status={item.status} />
          <span class="grow">
            <a href={item.href}>{item.what}</a> <span class="quiet">{item.why}</span>
          </span>
          <Ago at={item.at} />
          <a class="button" href={item.href}>
            {item.action}
          </a>
          {item.command && <Command text={item.command} />}
        </div>
      ))}
      {[runs, sessions].map(({ error }) => error && <Failure error={error} key={error.message} />)}
      {runs.result && sessions.result && waiting.length === 0 && (
        <p class="quiet">Nothing: no question, no interrupted work, no damage.</p>
      )}
      <h2>Trails</h2>
      <Shown answer={trails}>
        {(found) => (
          <table class="trails">
            <thead>
              <tr>
                <th scope="col">Trail</th>
                <th scope="col">Last checkpoint</th>
                <th scope="col" class="number">
                  Checkpoints
                </th>
                <th scope="col">Moved</th>
              </tr>
            </thead>
            <tbody>
              {found.map(({ name, is_current, checkpoints, head }) => (
                <tr key={name}>
                  <td>
                    <TrailLink name={name} /> {is_current && <span class="badge quiet">current</span>}
                  </td>
                  <td class="quiet">
                    {head === null ? <span class="bad">damaged</span> : (head.notes ?? head.trigger)}
                  </td>
                  <td class="number">{checkpoints.toLocaleString()}</td>
                  <td>
                    <Ago at={head?.created_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Shown>
    </>
  );
}

function ofRun({ id, workflow, status, next, reason, updated_at }: RunSummary): Waiting {
  const isQuestion = status === "awaiting_approval";
  return {
    key: `run ${id}`,
    status,
    what: `${workflow}, run ${id}`,
    why: isQuestion ? `asks: ${next.join(", ")}` : (reason ?? `next: ${next.join(", ")}`),
    href: hrefTo("run", { id }),
    action: isQuestion ? "Look and answer" : "Look and resume",
    command: isQuestion ? `checkpoint approve ${id}` : `checkpoint resume ${id}`,
    at: updated_at,
  };
}

function ofSession({ id, client, status, goal, trail, resume, last_seen_at }: Session): Waiting {
  return {
    key: `session ${id}`,
    status,
    what: goal ?? `a session of ${client}`,
    why: `${client}: interrupted`,
    href: hrefTo("trail", { name: trail }),
    action: "Look",
    command: resume,
    at: last_seen_at,
  };
}

function ofDamaged({ name }: Trail): Waiting {
  return {
    key: `damage ${name}`,
    status: "damaged",
    what: name,
    why: "its newest checkpoint cannot be read",
    href: hrefTo("trail", { name }),
    action: "Look",
    command: "checkpoint verify --repair",
    at: null,
  };
}
