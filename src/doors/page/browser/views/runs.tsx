import { Filter, isWanted } from "../fields.tsx";
import { Ago, Badge, Bar, Empty, Shown, useVerb } from "../parts.tsx";
import { Table } from "../table.tsx";
import { hrefTo } from "../route.ts";
import type { View } from "../shapes.ts";

/** The runs of workflows, the one that moved last first. */
export const RunsView: View = ({ query }) => {
  const answer = useVerb("runs", {}, (trail) => trail.startsWith("run/"));
  return (
    <Shown title="Runs" answer={answer}>
      {(runs) => (
        <>
          {runs.length > 0 && <Filter view="runs" query={query} />}
          <Table
            columns={["Run", "State", "#Steps", "What is next", "#Moved"]}
            rows={runs
              .filter(({ id, workflow, status, reason }) => isWanted(query, id, workflow, status, reason))
              .map(({ id, workflow, status, completed, total, next, reason, updated_at }) => [
                [<a href={hrefTo("run", { id })}>{id}</a>, <div class="quiet small">{workflow}</div>],
                <Badge status={status} />,
                <>
                  {completed} of {total}
                  {completed > 0 && <Bar size={(100 * completed) / total} tone="good" />}
                </>,
                <span class="quiet">{reason ?? next.join(", ")}</span>,
                <Ago at={updated_at} />,
              ])}
            empty={
              runs.length > 0 ? (
                <p class="quiet">No run is like that.</p>
              ) : (
                <Empty command="checkpoint run --template eight-agents">
                  No workflow was run here yet. To try one:
                </Empty>
              )
            }
          />
        </>
      )}
    </Shown>
  );
};
