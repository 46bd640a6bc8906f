import { ChangeList, changedParts } from "../changes.tsx";
import { CheckpointLink, Field, Shown, useVerb } from "../parts.tsx";
import { go } from "../route.ts";
import { WorkStateView } from "../work-state.tsx";
import type { View } from "../shapes.ts";

/** What changed between any two checkpoints (by id, tag, @, @~1), in words. What did not change is folded. */
export const DiffView: View = ({ query }) => {
  const [from = "@~1", to = "@", trail] = ["from", "to", "trail"].map((name) => query.get(name) ?? undefined);
  const answer = useVerb("diff", { from, to, trail });
  const newer = useVerb("load", { id: to, trail });
  const compare = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    go("diff", { from: given.get("from") as string, to: given.get("to") as string, trail });
  };
  return (
    <>
      <h1>What changed</h1>
      <form class="card row" key={`${from} ${to}`} onSubmit={compare}>
        <Field label="From" name="from" required defaultValue={from} />
        <Field label="to" name="to" required defaultValue={to} />
        <button type="submit">Compare</button>
      </form>
      <Shown answer={answer}>
        {(found) => (
          <>
            <p class="quiet small">
              <CheckpointLink id={found.from.checkpoint_id} trail={trail} /> →{" "}
              <CheckpointLink id={found.to.checkpoint_id} trail={trail} />
            </p>
            <div class="card">
              <ChangeList changes={found.changes} />
            </div>
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
