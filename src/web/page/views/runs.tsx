import { useMoves } from "../live.ts";
import { Ago, Badge, Empty, Shown, useVerb } from "../parts.tsx";
import { Table } from "../table.tsx";
import { hrefTo } from "../route.ts";
import type { View } from "../shell.tsx";

/** The runs of workflows, the one that moved last first. */
export const RunsView: View = () => {
  const answer = useVerb("runs", {}, [useMoves((trail) => trail.startsWith("run/"))]);
  return (
    <>
      <h1>Runs</h1>
      <Shown answer={answer}>
        {(runs) =>
          runs.length === 0 ? (
            <Empty command="checkpoint run --template eight-agents">
              No workflow was run here yet. To try one:
            </Empty>
          ) : (
            <Table
              columns={["Run", "State", "#Steps", "What is next", "#Moved"]}
              rows={runs.map(({ id, workflow, status, completed, total, next, reason, updated_at }) => [
                <>
                  <a href={hrefTo("run", { id })}>{id}</a>
                  <div class="quiet small">{workflow}</div>
                </>,
                <Badge status={status} />,
                <>
                  {completed} of {total}
                  <progress value={completed} max={total} aria-label={`Steps of ${id} that are done`} />
                </>,
                <span class="quiet">{reason ?? next.join(", ")}</span>,
                <Ago at={updated_at} />,
              ])}
            />
          )
        }
      </Shown>
    </>
  );
};
