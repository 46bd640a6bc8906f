import type { ComponentChildren } from "preact";

import { oneLine } from "../../../core/text/visible.ts";
import { type FieldName, fieldOf } from "../../../work/state/fields.ts";
import { otherFields, SHOWN_FIELDS } from "../../../work/state/shown-fields.ts";
import { gitLine, phaseName } from "../../../work/state/words.ts";
import { readWorkState, type WorkState } from "../../../work/state/work-state.ts";
import { Badge } from "./parts.tsx";
import { List, Table } from "./table.tsx";
import { asLine, entryWords, textOf } from "./words.ts";

/** Shown by views of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(["run", "session"]);

/**
 * The work state as a person reads it. `changed` names the parts that differ from the moment before: they are marked.
 * `leaveOut` names parts that are not shown.
 */
export function WorkStateView(props: {
  state: object;
  changed?: ReadonlySet<string>;
  leaveOut?: ReadonlySet<string>;
}) {
  const parts = partsOf(props.state).filter(([name]) => !props.leaveOut?.has(name));
  return (
    <Table
      rows={parts.map(([name, label, content]) => [
        [label, " ", props.changed?.has(name) && <span class="badge warn changed">changed</span>],
        content,
      ])}
    />
  );
}

type Part = [name: string, label: string, content: ComponentChildren];

/** The parts of a state that it has, in the order in which one wants to know them. */
function partsOf(stored: object): Part[] {
  const state = readWorkState(stored);
  const known = SHOWN_FIELDS.filter((name) => name === "goal" || !isNothing(state[name])).map(
    (name): Part => [name, fieldOf(name)?.label ?? name, DRAWN[name]?.(state) ?? drawn(state[name])],
  );
  const others = otherFields(stored).map(([name, value]): Part => [
    name,
    oneLine(name),
    shortened(asLine(value)),
  ]);
  return [...known, ...others].filter(([name]) => !ELSEWHERE.has(name));
}

const isNothing = (value: unknown) =>
  value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);

/** The fields that are drawn in a way of their own. All others are drawn as their shape is: a text, or entry by entry. */
const DRAWN: { readonly [Name in FieldName]?: (state: WorkState) => ComponentChildren } = {
  goal: ({ goal = "none is set" }) => asLine(goal),
  phase: ({ phase, phases_completed: completed }) =>
    phase && (
      <>
        {phaseName(phase)} <Badge status={phase.status} />
        {completed.length > 0 && <span class="quiet small"> completed: {completed.join(", ")}</span>}
      </>
    ),
  tasks: ({ tasks, active_task_id: active }) => (
    <List
      items={tasks.map(({ id, status, subject, blocked_by: after }) => (
        <>
          <Badge status={status} /> {id} {subject}
          {id === active && <strong> (active)</strong>}
          {after.length > 0 && <span class="quiet small"> after {after.join(", ")}</span>}
        </>
      ))}
    />
  ),
  subagents: ({ subagents }) => withStatus(subagents),
  variables: ({ variables }) => pairs(variables),
  dependencies: ({ dependencies }) => withStatus(dependencies),
  recent_outputs: ({ recent_outputs: outputs }) => (
    <List
      items={outputs.toReversed().map(({ success, action, type }) => (
        <>
          <Badge status={success ? "ok" : "failed"} /> {action || type}
        </>
      ))}
    />
  ),
  commands: ({ commands }) => folded(commands.map(({ argv }) => asLine(argv))),
  workspace: ({ workspace }) => gitLine(workspace),
  files_touched: ({ files_touched: files }) => folded(files),
};

const drawn = (value: unknown) =>
  Array.isArray(value) ? <List items={value.map(remark)} /> : shortened(asLine(value));

const remark = (item: unknown) => (
  <>
    {entryWords(item)}
    {textOf(item, "why") && <span class="quiet"> because {textOf(item, "why")}</span>}{" "}
    <span class="quiet small">{textOf(item, "by")}</span>
  </>
);

export const withStatus = (items: readonly unknown[]) => (
  <List
    items={items.map((item) => (
      <>
        <Badge status={textOf(item, "status") ?? "unknown"} />{" "}
        {textOf(item, "name", "description", "type", "id")}{" "}
        <span class="quiet small">{textOf(item, "reason", "endpoint", "last_message")}</span>
      </>
    ))}
  />
);

const MOST = 500;
const shortened = (said: string) =>
  said.length > MOST ? `${said.slice(0, MOST)}… (${said.length} characters)` : said;

const pairs = (values: object) => (
  <Table
    rows={Object.entries(values).map(([name, content]) => [
      <span class="mono">{name}</span>,
      <span class="mono">{shortened(asLine(content))}</span>,
    ])}
  />
);

const folded = (lines: readonly string[]) => (
  <details>
    <summary>
      {lines.length}, the last one: <span class="mono">{lines.at(-1)}</span>
    </summary>
    <List class="mono small" items={lines} />
  </details>
);
