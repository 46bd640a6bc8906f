import { useState } from "preact/hooks";

import { visibleJson } from "../../../text/visible.ts";
import { verb } from "../api.ts";
import { Action, Ago, CheckpointLink, Command, Shown, TrailLink, useVerb } from "../parts.tsx";
import { hrefTo } from "../route.ts";
import type { View } from "../shell.tsx";
import type { CheckpointInfo, WorkState } from "../shapes.ts";
import { WorkStateView } from "../work-state.tsx";

/** How much of a state is written out in the page. */
const MOST_JSON = 1_000_000;

type Loaded = CheckpointInfo & { readonly state: WorkState };

/** A checkpoint: who, when and why, the work as it stood, and what can be done with it. */
export const CheckpointView: View = ({ query, about }) => {
  const trail = query.get("trail") ?? undefined;
  const answer = useVerb<Loaded>("load", { id: query.get("id") ?? undefined, trail });
  return (
    <Shown answer={answer}>
      {(loaded) => (
        <>
          <h1 class="mono">{loaded.checkpoint_id}</h1>
          <div class="columns">
            <div>
              <WorkStateView state={loaded.state} />
              <Raw id={loaded.checkpoint_id} trail={loaded.trail} />
            </div>
            <div>
              <Facts checkpoint={loaded} />
              {!about.isReadOnly && <Actions checkpoint={loaded} />}
            </div>
          </div>
        </>
      )}
    </Shown>
  );
};

function Facts({ checkpoint }: { checkpoint: Loaded }) {
  const { trail, trigger, notes, agent_id, agent_tier, session_id, created_at, content_hash } = checkpoint;
  const parent = checkpoint.parent_checkpoint_id;
  return (
    <table>
      <tbody>
        <Fact name="Trail">
          <TrailLink name={trail} />
        </Fact>
        <Fact name="Saved">
          {new Date(created_at).toLocaleString()} <Ago at={created_at} />
        </Fact>
        <Fact name="By">
          {agent_id ?? "a person"}
          {agent_tier !== null && `, tier ${agent_tier}`}
        </Fact>
        <Fact name="Why">{trigger}</Fact>
        {notes !== null && <Fact name="Notes">{notes}</Fact>}
        {session_id !== null && <Fact name="Session">{session_id}</Fact>}
        {parent !== null && (
          <Fact name="Before it">
            <CheckpointLink id={parent} trail={trail} />{" "}
            <a href={hrefTo("diff", { from: parent, to: checkpoint.checkpoint_id, trail })}>what changed</a>
          </Fact>
        )}
        <Fact name="Proof">
          <code>{content_hash}</code>
          <br />
          <span class="quiet small">Read and compared with its hash just now.</span>
        </Fact>
      </tbody>
    </table>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{children}</td>
    </tr>
  );
}

function Actions({ checkpoint: { checkpoint_id: id, trail } }: { checkpoint: Loaded }) {
  const [name, setName] = useState("");
  const undoFork = `checkpoint trails delete ${name || "NAME"} --yes`;
  const undoTag = `checkpoint tag ${name || "NAME"} --delete`;
  return (
    <div>
      <h2>What you can do</h2>
      <div class="stack">
        <Action
          label="Restore"
          about={
            <>
              Makes this state the newest of {trail} again. Everything saved since stays in the history. To
              undo it: <code>checkpoint undo --trail {trail}</code>
            </>
          }
          run={async () => {
            await verb("restore", { id, trail });
            return done("Restored.", `checkpoint undo --trail ${trail}`);
          }}
        />
        <Action
          label="Fork"
          about={
            <>
              Starts a new trail from here; this one stays as it is. To undo it: <code>{undoFork}</code>
            </>
          }
          run={async () => {
            await verb("fork", { id, trail, as: name });
            return (
              <>
                {done("Forked.", undoFork)} <TrailLink name={name} />
              </>
            );
          }}
        >
          <Name value={name} onInput={setName} label="Name of the new trail" />
        </Action>
        <Action
          label="Tag"
          about={
            <>
              Gives it a name by which it can be found, and keeps it from pruning. To undo it:{" "}
              <code>{undoTag}</code>
            </>
          }
          run={async () => {
            await verb("tag", { id, trail, name });
            return done("Tagged.", undoTag);
          }}
        >
          <Name value={name} onInput={setName} label="Name" />
        </Action>
      </div>
    </div>
  );
}

const done = (said: string, undo: string) => (
  <>
    {said} To undo it: <Command text={undo} />
  </>
);

function Name({ value, onInput, label }: { value: string; onInput: (value: string) => void; label: string }) {
  return (
    <p>
      <label>
        {label} <input required value={value} onInput={(event) => onInput(event.currentTarget.value)} />
      </label>
    </p>
  );
}

/** Read again, exactly as it is stored, only when it is opened: a state may be many megabytes. */
function Raw({ id, trail }: { id: string; trail: string }) {
  const [text, setText] = useState<string>();
  const open = async () => {
    const { state } = await verb<{ state: WorkState }>("load", { id, trail }, { exact: true });
    setText(visibleJson(JSON.stringify(state, null, 2)));
  };
  return (
    <details onToggle={(event) => void (event.currentTarget.open && text === undefined && open())}>
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
