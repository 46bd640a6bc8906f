import { useMoves } from "../live.ts";
import { Ago, Badge, Command, Empty, Shown, TrailLink, useVerb } from "../parts.tsx";
import type { View } from "../shell.tsx";
import type { Answers } from "../shapes.ts";
import { countWords } from "../words.ts";
import { withStatus } from "../work-state.tsx";

/** The sessions of agent clients: who lives, what each did, how it ended, and how to go on. */
export const SessionsView: View = () => {
  const answer = useVerb("sessions", {}, [useMoves((trail) => trail.startsWith("session/"))]);
  return (
    <>
      <h1>Agent sessions</h1>
      <Shown answer={answer}>
        {(sessions) =>
          sessions.length === 0 ? (
            <Empty command="checkpoint init">
              No agent was seen here yet. Set up your agent clients to save by themselves:
            </Empty>
          ) : (
            sessions.map((session) => <SessionCard session={session} key={session.id} />)
          )
        }
      </Shown>
    </>
  );
};

function SessionCard({ session }: { session: Answers["sessions"][number] }) {
  const { id, client, model, status, goal, trail, tasks, last_action, last_message } = session;
  const { checks_failing: failing, files_touched: files, subagents, resume } = session;
  const did = [
    `${tasks.done} of ${countWords(tasks.done + tasks.open, "task")} done`,
    tasks.active && `now: ${tasks.active}`,
    last_action && `last: ${last_action}`,
  ];
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
        <TrailLink name={trail} /> · {did.filter(Boolean).join(" · ")}
      </p>
      {failing.length > 0 && <p class="bad small">Failing: {failing.join(", ")}</p>}
      {last_message && <p class="quiet said">{last_message}</p>}
      {files.length > 0 && (
        <details class="small">
          <summary>{countWords(files.length, "file")} touched</summary>
          <ul class="mono">
            {files.map((file) => (
              <li key={file}>{file}</li>
            ))}
          </ul>
        </details>
      )}
      {subagents.length > 0 && (
        <details class="small" open>
          <summary>{countWords(subagents.length, "sub-agent")}</summary>
          {withStatus(subagents)}
        </details>
      )}
      {resume && (
        <p>
          <span class="quiet small">Go on with it:</span> <Command text={resume} />
        </p>
      )}
    </article>
  );
}
