import { useMoves } from "../live.ts";
import { Ago, Badge, Command, Shown, TrailLink, useVerb } from "../parts.tsx";
import type { View } from "../shell.tsx";
import type { Session } from "../shapes.ts";
import { textOf, words } from "../words.ts";

/** The sessions of agent clients: who lives, what each did, and how to go on. */
export const SessionsView: View = () => {
  const moves = useMoves((trail) => trail.startsWith("session/"));
  const answer = useVerb<readonly Session[]>("sessions", {}, [moves]);
  return (
    <>
      <h1>Agent sessions</h1>
      <Shown answer={answer}>
        {(sessions) =>
          sessions.length === 0 ? (
            <p class="quiet">
              None was seen yet. <Command text="checkpoint init" /> sets up your agent clients to save by
              themselves.
            </p>
          ) : (
            sessions.map((session) => <SessionCard session={session} key={session.id} />)
          )
        }
      </Shown>
    </>
  );
};

function SessionCard({ session }: { session: Session }) {
  const { id, client, model, status, goal, trail, tasks, last_action, last_message, files_touched, resume } =
    session;
  return (
    <article class="card" aria-label={`Session ${id}`}>
      <div class="row">
        <Badge status={status} />
        <strong class="grow">{goal ?? "no goal recorded"}</strong>
        <span class="quiet small">
          {client} {model}
        </span>
        <Ago at={session.last_seen_at} />
      </div>
      <p class="small">
        <TrailLink name={trail} /> · {tasks.done} done, {tasks.open} open
        {tasks.active && `, now: ${tasks.active}`} · {files_touched.length} files
        {last_action && ` · last: ${last_action}`}
      </p>
      {session.checks_failing.length > 0 && (
        <p class="bad small">Failing: {session.checks_failing.join(", ")}</p>
      )}
      {last_message && <p class="quiet">{last_message}</p>}
      {session.subagents.length > 0 && (
        <ul class="small">
          {session.subagents.map((agent, index) => (
            <li key={index}>
              <Badge status={textOf(agent, "status") ?? "?"} />{" "}
              {textOf(agent, "description", "type") ?? words(agent)}
            </li>
          ))}
        </ul>
      )}
      {resume && <Command text={resume} />}
    </article>
  );
}
