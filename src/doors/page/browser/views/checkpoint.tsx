import { useState } from "preact/hooks";

import { visibleJson } from "../../../../core/text/visible.ts";
import { shellWord } from "../../../../core/text/shell-word.ts";
import { verb } from "../api.ts";
import { Field } from "../fields.tsx";
import { Ago, CheckpointLink, Command, Shown, TrailLink, useVerb } from "../parts.tsx";
import { Action } from "../action.tsx";
import { Table } from "../table.tsx";
import { hrefTo } from "../route.ts";
import type { Answers, View } from "../shapes.ts";
import { whoSaved } from "../words.ts";
import { WorkStateView } from "../work-state.tsx";

/** How much of a state is written out in the page. */
const MOST_JSON = 1_000_000;

type Loaded = Answers["load"];

/** A checkpoint: who, when and why, the work as it stood, and what can be done with it. */
export const CheckpointView: View = ({ query, about }) => {
  const trail = query.get("trail") ?? undefined;
  const answer = useVerb("load", { id: query.get("id") ?? undefined, trail });
  return (
    <Shown answer={answer}>
      {(loaded) => (
        <>
          <h1>
            Checkpoint <span class="mono quiet">{loaded.checkpoint_id}</span>
          </h1>
          <div class="columns">
            <div>
              <WorkStateView state={loaded.state} />
              <Raw id={loaded.checkpoint_id} trail={loaded.trail} />
            </div>
            <div>
              <Facts checkpoint={loaded} />
              {about?.isReadOnly === false && <Actions checkpoint={loaded} />}
            </div>
          </div>
        </>
      )}
    </Shown>
  );
};

function Facts({ checkpoint }: { checkpoint: Loaded }) {
  const { trail, trigger, notes, agent_tier, session_id, created_at, content_hash } = checkpoint;
  const parent = checkpoint.parent_checkpoint_id;
  const facts = [
    ["Trail", <TrailLink name={trail} />],
    ["Saved", [new Date(created_at).toLocaleString(), " ", <Ago at={created_at} />]],
    ["By", `${whoSaved(checkpoint)}${agent_tier === null ? "" : `, tier ${agent_tier}`}`],
    ["Why", trigger],
    notes !== null && ["Notes", notes],
    session_id !== null && ["Session", session_id],
    parent !== null && [
      "Follows",
      [
        <CheckpointLink id={parent} trail={trail} />,
        " ",
        <a href={hrefTo("diff", { from: parent, to: checkpoint.checkpoint_id, trail })}>what changed</a>,
      ],
    ],
    ["Verified", <span class="good">✓ Just now: everything in it was read and matches its hash.</span>],
    ["Hash", <code class="small">{content_hash}</code>],
  ];
  return <Table rows={facts.filter((fact) => fact !== false)} />;
}

function Actions({ checkpoint: { checkpoint_id: id, trail } }: { checkpoint: Loaded }) {
  const [fork, setFork] = useState("");
  const [tag, setTag] = useState("");
  return (
    <div>
      <h2>What you can do</h2>
      <div class="row">
        {!trail.startsWith("run/") && (
          <Action
            label="Restore"
            about={`Makes this state the newest of ${trail} again. Everything saved since stays in the history.`}
            undo={`checkpoint undo --trail ${shellWord(trail)}`}
            run={async () => verb("restore", { id, trail }).then(() => "Restored.")}
          />
        )}
        <Action
          label="Fork"
          about="Starts a new trail from here; this one stays as it is."
          undo={`checkpoint trails delete ${shellWord(fork || "NAME")} --yes`}
          run={async () => verb("fork", { id, trail, as: fork }).then(() => <TrailLink name={fork} />)}
        >
          <Field label="Name of the new trail" required value={fork} set={setFork} />
        </Action>
        <Action
          label="Tag"
          about="Gives it a name by which it can be found, and keeps it from pruning. A name that another checkpoint has moves here."
          run={async () => {
            const { moved_from } = await verb("tag", { id, trail, name: tag });
            const undo =
              moved_from === null ? `${shellWord(tag)} --delete` : `${shellWord(tag)} ${moved_from}`;
            return ["Tagged. To undo it: ", <Command text={`checkpoint tag ${undo}`} />];
          }}
        >
          <Field label="Name" required value={tag} set={setTag} />
        </Action>
      </div>
    </div>
  );
}

/** Read again, exactly as it is stored, only when it is opened: a state may be many megabytes. */
function Raw({ id, trail }: { id: string; trail: string }) {
  const [text, setText] = useState<string>();
  const open = async () => {
    const { state } = await verb("load", { id, trail }, { exact: true });
    return visibleJson(JSON.stringify(state, null, 2));
  };
  return (
    <details
      onToggle={(event) =>
        void (
          event.currentTarget.open &&
          text === undefined &&
          open().then(setText, (error: Error) => setText(error.message))
        )
      }
    >
      <summary>As JSON</summary>
      <pre>{text === undefined ? "Loading …" : text.slice(0, MOST_JSON)}</pre>
      {text !== undefined && text.length > MOST_JSON && (
        <p>
          That was the beginning. All of it: <Command text={`checkpoint load ${id} --json`} />
        </p>
      )}
    </details>
  );
}
