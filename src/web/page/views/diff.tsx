import { useState } from "preact/hooks";

import { ChangeList, changedParts } from "../changes.tsx";
import { CheckpointLink, Field, Shown, useVerb } from "../parts.tsx";
import { go } from "../route.ts";
import type { View } from "../shell.tsx";
import { WorkStateView } from "../work-state.tsx";

/** What changed between any two checkpoints, in words. What is equal is folded. */
export const DiffView: View = ({ query }) => {
  const [from = "@~1", to = "@", trail] = ["from", "to", "trail"].map((name) => query.get(name) ?? undefined);
  const answer = useVerb("diff", { from, to, trail });
  const newer = useVerb("load", { id: to, trail });
  const tags = useVerb("tags");
  return (
    <>
      <h1>What changed</h1>
      <Pair from={from} to={to} trail={trail} key={`${from} ${to}`} />
      <datalist id="names">
        {["@", "@~1", ...(tags.result ?? []).map(({ name }) => name)].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
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
                <summary>What is the same in both</summary>
                <WorkStateView state={newer.result.state} leaveOut={changedParts(found.changes)} />
              </details>
            )}
          </>
        )}
      </Shown>
    </>
  );
};

/** Any two: by id, tag, @ for the newest and @~1 for the one before. */
function Pair(props: { from: string; to: string; trail: string | undefined }) {
  const [from, setFrom] = useState(props.from);
  const [to, setTo] = useState(props.to);
  return (
    <form
      class="card row"
      onSubmit={(event) => {
        event.preventDefault();
        go("diff", { from, to, trail: props.trail });
      }}
    >
      <Field label="From" list="names" required value={from} set={setFrom} />
      <Field label="to" list="names" required value={to} set={setTo} />
      <button type="submit">Compare</button>
      <button type="button" onClick={() => go("diff", { from: to, to: from, trail: props.trail })}>
        Swap
      </button>
    </form>
  );
}
