import type { ComponentChildren } from "preact";

import { oneLine } from "../../../core/text/visible.ts";
import { gitLine, phaseName } from "../../../work/state/words.ts";
import { Badge } from "./parts.tsx";
import { List, Table } from "./table.tsx";
import type { WorkState } from "./shapes.ts";
import { asLine, asList, entryWords, own, textOf } from "./words.ts";

/** What repeats another part, or is shown by a view of its own. */
const ELSEWHERE = ["active_task_id", "run", "session", "imported_texts"];

/**
 * The work state as a person reads it. `changed` names the parts that differ from the moment before: they are marked.
 * `leaveOut` names parts that are not shown.
 */
export function WorkStateView(props: {
  state: WorkState;
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
function partsOf(state: WorkState): Part[] {
  const known: readonly [name: string, label: string, draw: (value: unknown) => ComponentChildren][] = [
    ["goal", "Goal", asLine],
    ["success_criteria", "Done when", remarks],
    ["next_action", "Next", asLine],
    ["phase", "Phase", phase],
    ["phases_completed", "Phases done", each(phase)],
    ["tasks", "Tasks", tasks(state["active_task_id"])],
    ["blockers", "Blocked by", remarks],
    ["checks_failing", "Failing checks", remarks],
    ["approvals_pending", "Waits for a yes", remarks],
    ["constraints", "Constraints", remarks],
    ["instructions", "Instructions", remarks],
    ["decisions", "Decisions", remarks],
    ["gotchas", "Lessons", remarks],
    ["subagents", "Sub-agents", withStatus],
    ["variables", "Variables", pairs],
    ["dependencies", "Services", withStatus],
    ["recent_outputs", "Outputs", (items) => each(output)(asList(items).toReversed())],
    ["commands", "Commands", (list) => folded(asList(list).map((item) => asLine(own(item, "argv") ?? item)))],
    ["workspace", "Git", gitLine],
    ["files_touched", "Files", (files) => folded(asList(files).map(asLine))],
  ];
  const names = new Set([...known.map(([name]) => name), ...ELSEWHERE]);
  const unknown = Object.entries(state).filter(([name]) => !names.has(name));
  const parts = known
    .filter(([name]) => !isNothing(state[name]))
    .map(([name, label, draw]): Part => [name, label, draw(state[name])]);
  if (state["goal"] === undefined) parts.unshift(["goal", "Goal", "none is set"]);
  for (const [name, value] of unknown) parts.push([name, oneLine(name), shortened(asLine(value))]);
  return parts;
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);

/** A list of what is drawn for each entry of a value. */
const each = (draw: (item: unknown) => ComponentChildren) => (value: unknown) => (
  <List items={asList(value).map(draw)} />
);

const remarks = each((item) => (
  <>
    {entryWords(item)}
    {textOf(item, "why") && <span class="quiet"> because {textOf(item, "why")}</span>}{" "}
    <span class="quiet small">{textOf(item, "by")}</span>
  </>
));

const statusOf = (item: unknown) => <Badge status={textOf(item, "status") ?? "unknown"} />;

const phase = (value: unknown) => (
  <>
    {phaseName(value)} {statusOf(value)}
  </>
);

const tasks = (active: unknown) =>
  each((task) => {
    const after = asList(own(task, "blocked_by")).map(asLine).join(", ");
    return (
      <>
        {statusOf(task)} {textOf(task, "id")} {textOf(task, "subject") ?? asLine(task)}
        {active !== undefined && textOf(task, "id") === active && <strong> (active)</strong>}
        {after !== "" && <span class="quiet small"> after {after}</span>}
      </>
    );
  });

export const withStatus = each((item) => (
  <>
    {statusOf(item)} {textOf(item, "name", "description", "type", "id")}{" "}
    <span class="quiet small">{textOf(item, "reason", "endpoint", "last_message")}</span>
  </>
));

const output = (item: unknown) => (
  <>
    <Badge status={own(item, "success") === false ? "failed" : "ok"} />{" "}
    {textOf(item, "action", "type") ?? asLine(item)}
  </>
);

const MOST = 500;
const shortened = (said: string) =>
  said.length > MOST ? `${said.slice(0, MOST)}… (${said.length} characters)` : said;

const pairs = (value: unknown) => (
  <Table
    rows={Object.entries(value as object).map(([name, content]) => [
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
