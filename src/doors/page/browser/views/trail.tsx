import { Choice } from "../fields.tsx";
import { anyTrail, CheckpointLink, Empty, Shown, TrailLink, useVerb } from "../parts.tsx";
import { go, hrefTo } from "../route.ts";
import { Timeline } from "../timeline.tsx";
import { trailWords } from "../words.ts";
import type { View } from "../shapes.ts";

/** A trail: where it was forked from, its moments from the newest on, and the work at each. */
export const TrailView: View = ({ query }) => {
  const answer = useVerb("trails", {}, anyTrail);
  const named = query.get("name");
  return (
    <Shown answer={answer}>
      {(trails) => {
        const name = named ?? trails.find(({ is_current }) => is_current)?.name ?? trails[0]?.name;
        if (name === undefined)
          return <Empty command='checkpoint goal "…"'>There is no checkpoint in this project yet.</Empty>;
        if (!trails.some((trail) => trail.name === name))
          return <p class="card bad">There is no trail {name}.</p>;
        const from = trails.find((trail) => trail.name === name)?.forked_from;
        return (
          <>
            <div class="row">
              <h1 class="grow">{trailWords(name)}</h1>
              <Choice
                label="Trail"
                value={name}
                names={trails.map((trail) => trail.name)}
                choose={(chosen) => go("trail", { name: chosen })}
              />
              <a class="button" href={hrefTo("diff", { trail: name })}>
                Compare
              </a>
              <a class="button" href={hrefTo("handoff", { trail: name })}>
                Handoff
              </a>
            </div>
            {from && (
              <p class="quiet">
                Forked from <TrailLink name={from.trail} /> at{" "}
                <CheckpointLink id={from.checkpoint_id} trail={from.trail} />
              </p>
            )}
            <Timeline trail={name} at={query.get("at")} trails={trails} key={name} />
          </>
        );
      }}
    </Shown>
  );
};
