import { useEffect, useState } from "preact/hooks";

import { verb } from "./api.ts";
import { ChangeList, changedParts } from "./changes.tsx";
import { Ago, CheckpointLink, Failure, TrailLink } from "./parts.tsx";
import { hrefTo } from "./route.ts";
import type { LogEntry, WorkState } from "./shapes.ts";
import { WorkStateView } from "./work-state.tsx";

/** The work as it stood at a moment, with what just changed marked. The last one stays until the next is there. */
export function StateAt(props: { moment: LogEntry; trail: string; forks: readonly string[] }) {
  const { moment, trail } = props;
  const [shown, setShown] = useState<{ moment: LogEntry; state: WorkState }>();
  const [error, setError] = useState<Error>();
  const id = moment.checkpoint_id;
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      try {
        const { state } = await verb<{ state: WorkState }>("load", { id, trail }, { signal: stop.signal });
        setShown({ moment, state });
        setError(undefined);
      } catch (failure) {
        if (!stop.signal.aborted) setError(failure as Error);
      }
    };
    void load();
    return () => stop.abort();
  }, [id]);
  return (
    <section aria-label="The work at this moment">
      <h2 class="row first">
        <span class="grow">
          <CheckpointLink id={id} trail={trail} />
        </span>
        <Ago at={moment.created_at} />
      </h2>
      {props.forks.map((name) => (
        <p key={name}>
          Forked here: <TrailLink name={name} />
        </p>
      ))}
      {error && <Failure error={error} />}
      {shown && !error && (
        <>
          {shown.moment.changes && (
            <details open>
              <summary class="quiet">What just changed</summary>
              <ChangeList changes={shown.moment.changes} />
              {moment.parent_checkpoint_id && (
                <a href={hrefTo("diff", { from: moment.parent_checkpoint_id, to: id, trail })}>As a diff</a>
              )}
            </details>
          )}
          <WorkStateView state={shown.state} changed={changedParts(shown.moment.changes)} />
        </>
      )}
    </section>
  );
}
