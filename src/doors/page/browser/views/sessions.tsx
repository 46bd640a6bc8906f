import { Card, Command, Empty, Shown, TrailLink, useVerb } from "../parts.tsx";
import { List } from "../table.tsx";
import type { Answers, View } from "../shapes.ts";
import { countWords } from "../words.ts";
import { withStatus } from "../work-state.tsx";

/** The sessions of agent clients: which are alive, what each did, how it ended, and how to resume it. */
export const SessionsView: View = () => {
  const answer = useVerb("sessions", {}, (trail) => trail.startsWith("session/"));
  return (
    <Shown title="Agent sessions" answer={answer}>
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
  );
};

function SessionCard({ session }: { session: Answers["sessions"][number] }) {
  const { client, model, status, goal, trail, tasks, last_action, last_message } = session;
  const { checks_failing: failing, files_touched: files, subagents, resume } = session;
  const did = [
    client,
    model,
    tasks.done + tasks.open > 0 && `${tasks.done} of ${countWords(tasks.done + tasks.open, "task")} done`,
    tasks.active && `now: ${tasks.active}`,
    last_action && `last: ${last_action}`,
  ];
  return (
    <Card status={status} title={goal ?? "no goal recorded"} at={session.last_seen_at}>
      <p class="small">
        <TrailLink name={trail} /> · {did.filter(Boolean).join(" · ")}
      </p>
      {failing.length > 0 && <p class="bad small">Failing: {failing.join(", ")}</p>}
      {last_message && <p class="quiet">{last_message}</p>}
      {files.length > 0 && (
        <details class="small">
          <summary>{countWords(files.length, "file")} touched</summary>
          <List class="mono" items={files} />
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
          <span class="quiet small">Resume it:</span> <Command text={resume} />
        </p>
      )}
    </Card>
  );
}
