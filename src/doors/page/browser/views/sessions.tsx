import { Filter, isWanted } from "../fields.tsx";
import { Ago, Badge, Empty, Shown, useVerb } from "../parts.tsx";
import { hrefTo } from "../route.ts";
import { Table } from "../table.tsx";
import type { View } from "../shapes.ts";
import { countWords } from "../words.ts";

/** The sessions of agent clients: which are alive, what each does, and how it ended. Each has its story. */
export const SessionsView: View = ({ query }) => {
  const answer = useVerb("sessions", {}, (trail) => trail.startsWith("session/"));
  return (
    <Shown title="Agent sessions" answer={answer}>
      {(sessions) => (
        <>
          {sessions.length > 0 && <Filter view="sessions" query={query} />}
          <Table
            columns={["Session", "State", "#Tasks", "What it does", "#Seen"]}
            rows={sessions
              .filter((each) =>
                isWanted(query, each.id, each.client, each.status, each.goal, each.last_action),
              )
              .map(({ id, client, model, status, goal, tasks, last_action, last_seen_at, ...each }) => [
                [
                  <a href={hrefTo("session", { id })}>{goal ?? "no goal recorded"}</a>,
                  <div class="quiet small">{[client, model].filter(Boolean).join(" · ")}</div>,
                ],
                <Badge status={status} />,
                `${tasks.done} of ${tasks.done + tasks.open}`,
                [
                  tasks.active ?? last_action,
                  each.subagents.length > 0 && (
                    <div class="quiet small">{countWords(each.subagents.length, "sub-agent")}</div>
                  ),
                  each.checks_failing.length > 0 && (
                    <div class="bad small">failing: {each.checks_failing.join(", ")}</div>
                  ),
                ],
                <Ago at={last_seen_at} />,
              ])}
            empty={
              <Empty command="checkpoint init">
                {sessions.length > 0
                  ? "No session is like that."
                  : "No agent was seen here yet. Set up your agent clients to save by themselves:"}
              </Empty>
            }
          />
        </>
      )}
    </Shown>
  );
};
