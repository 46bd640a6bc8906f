import { ChangeList, changedParts } from "./changes.tsx";
import { Ago, CheckpointLink, Failure, TrailLink, useVerb } from "./parts.tsx";
import { hrefTo } from "./route.ts";
import type { Moment } from "./shapes.ts";
import { WorkStateView } from "./work-state.tsx";

/** The work as it stood at a moment, with what just changed marked. The last one stays until the next is there. */
export function StateAt(props: {
  moment: Moment;
  trail: string;
  forks: readonly string[];
  isNewest: boolean;
}) {
  const { moment, trail } = props;
  const { checkpoint_id: id, parent_checkpoint_id: parent, changes } = moment;
  const { result, error } = useVerb("load", { id, trail });
  return (
    <section aria-label="The work at this moment">
      <p class="row">
        <CheckpointLink id={id} trail={trail} />
        <Ago at={moment.created_at} />
        {!props.isNewest && (
          <a class="small" href={hrefTo("diff", { from: id, to: "@", trail })}>
            compare with the newest
          </a>
        )}
      </p>
      {props.forks.map((name) => (
        <p key={name}>
          Forked here: <TrailLink name={name} />
        </p>
      ))}
      {changes && (
        <div class="card">
          <p class="row">
            <strong class="grow">What just changed</strong>
            {parent && (
              <a class="small" href={hrefTo("diff", { from: parent, to: id, trail })}>
                as a diff
              </a>
            )}
          </p>
          <ChangeList changes={changes} />
        </div>
      )}
      {error && <Failure error={error} />}
      {result && !error && <WorkStateView state={result.state} changed={changedParts(changes)} />}
    </section>
  );
}
