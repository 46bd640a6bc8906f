import { useMoves } from "../live.ts";
import { Ago, Badge, Command, Shown, useVerb } from "../parts.tsx";
import { hrefTo } from "../route.ts";
import type { View } from "../shell.tsx";
import type { RunSummary } from "../shapes.ts";

/** The runs of workflows, the one that moved last first. */
export const RunsView: View = () => {
  const moves = useMoves((trail) => trail.startsWith("run/"));
  const answer = useVerb<readonly RunSummary[]>("runs", {}, [moves]);
  return (
    <>
      <h1>Runs</h1>
      <Shown answer={answer}>
        {(runs) =>
          runs.length === 0 ? (
            <p class="quiet">
              None yet. <Command text="checkpoint run FILE" /> starts one.
            </p>
          ) : (
            runs.map(({ id, workflow, status, completed, total, next, reason, updated_at }) => (
              <div class="card row" key={id}>
                <Badge status={status} />
                <span class="grow">
                  <a href={hrefTo("run", { id })}>{id}</a> <span class="quiet">{workflow}</span>
                  {(reason ?? next[0]) && (
                    <span class="quiet small"> · {reason ?? `next: ${next.join(", ")}`}</span>
                  )}
                </span>
                <span>
                  {completed} of {total}
                </span>
                <Ago at={updated_at} />
              </div>
            ))
          )
        }
      </Shown>
    </>
  );
};
