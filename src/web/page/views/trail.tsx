import { ForkGraph } from "../fork-graph.tsx";
import { useMoves } from "../live.ts";
import { Shown, useVerb } from "../parts.tsx";
import { go, hrefTo } from "../route.ts";
import type { View } from "../shell.tsx";
import type { Trail } from "../shapes.ts";
import { Timeline } from "../timeline.tsx";

/** A trail: where it was forked from, its moments from the newest on, and the work at each. */
export const TrailView: View = ({ query }) => {
  const answer = useVerb<readonly Trail[]>("trails", {}, [useMoves()]);
  const named = query.get("name");
  return (
    <Shown answer={answer}>
      {(trails) => {
        const name = named ?? trails.find(({ is_current }) => is_current)?.name ?? trails[0]?.name;
        if (name === undefined) return <p>There is no checkpoint in this project yet.</p>;
        return (
          <>
            <div class="row">
              <h1 class="grow">{name}</h1>
              <label>
                Trail{" "}
                <select value={name} onChange={(event) => go("trail", { name: event.currentTarget.value })}>
                  {trails.map((trail) => (
                    <option key={trail.name}>{trail.name}</option>
                  ))}
                </select>
              </label>
              <a href={hrefTo("handoff", { trail: name })}>Handoff</a>
            </div>
            <ForkGraph trails={trails} current={name} />
            <Timeline trail={name} at={query.get("at")} trails={trails} key={name} />
          </>
        );
      }}
    </Shown>
  );
};
