import { ChangeList } from "../changes.tsx";
import { CheckpointLink, Shown, useVerb } from "../parts.tsx";
import type { View } from "../shell.tsx";
import type { Changes, CheckpointInfo } from "../shapes.ts";

interface Difference {
  readonly from: CheckpointInfo;
  readonly to: CheckpointInfo;
  readonly changes: Changes;
}

/** What changed between two checkpoints, in words. What is equal is left out. */
export const DiffView: View = ({ query }) => {
  const [from, to, trail] = ["from", "to", "trail"].map((name) => query.get(name) ?? undefined);
  const answer = useVerb<Difference>("diff", { from, to, trail });
  return (
    <Shown answer={answer}>
      {(found) => (
        <>
          <h1>What changed</h1>
          <p>
            <CheckpointLink id={found.from.checkpoint_id} trail={trail} /> →{" "}
            <CheckpointLink id={found.to.checkpoint_id} trail={trail} />
          </p>
          <ChangeList changes={found.changes} />
        </>
      )}
    </Shown>
  );
};
