import { changeSentence } from "../../../../work/state/diff-words.ts";
import { changedParts } from "../changes.tsx";
import { Field } from "../fields.tsx";
import { Ago, CheckpointLink, Shown, useVerb } from "../parts.tsx";
import { go } from "../route.ts";
import { SideBySide } from "../side-by-side.tsx";
import { WorkStateView } from "../work-state.tsx";
import type { View } from "../shapes.ts";

/** How many moments are offered to choose from; any other can be typed. */
const OFFERED = 100;

/** What changed between any two checkpoints (by id, tag, @, @~1). What did not change is folded. */
export const DiffView: View = ({ query }) => {
  const [from = "@~1", to = "@", trail] = ["from", "to", "trail"].map((name) => query.get(name) ?? undefined);
  const answer = useVerb("diff", { from, to, trail });
  const newer = useVerb("load", { id: to, trail });
  const moments = useVerb("timeline", { limit: OFFERED, trail });
  const tags = useVerb("tags");
  const compare = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    go("diff", { from: given.get("from") as string, to: given.get("to") as string, trail });
  };
  return (
    <>
      <h1>What changed</h1>
      <form class="card row" key={`${from} ${to}`} onSubmit={compare}>
        <Field label="From" name="from" list="moments" required defaultValue={from} />
        <Field label="to" name="to" list="moments" required defaultValue={to} />
        <datalist id="moments">
          {(tags.result ?? []).map(({ name }) => (
            <option value={name} key={name} />
          ))}
          {(moments.result?.checkpoints ?? []).map((moment) => (
            <option value={moment.checkpoint_id} key={moment.checkpoint_id}>
              {moment.notes ?? changeSentence(moment)}
            </option>
          ))}
        </datalist>
        <button type="submit">Compare</button>
        <button type="button" onClick={() => go("diff", { from: to, to: from, trail })}>
          Swap
        </button>
      </form>
      <Shown answer={answer}>
        {(found) => (
          <>
            <p class="quiet small">
              <CheckpointLink id={found.from.checkpoint_id} trail={found.from.trail} />{" "}
              <Ago at={found.from.created_at} /> →{" "}
              <CheckpointLink id={found.to.checkpoint_id} trail={found.to.trail} />{" "}
              <Ago at={found.to.created_at} />
            </p>
            <SideBySide changes={found.changes} from={found.from.checkpoint_id} to={found.to.checkpoint_id} />
            {newer.result && (
              <details>
                <summary>Parts that did not change</summary>
                <WorkStateView state={newer.result.state} leaveOut={changedParts(found.changes)} />
              </details>
            )}
          </>
        )}
      </Shown>
    </>
  );
};
