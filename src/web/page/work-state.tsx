import type { ComponentChildren } from "preact";

import { Badge } from "./parts.tsx";
import { Table } from "./table.tsx";
import type { WorkState } from "./shapes.ts";
import { asList, entryWords, own, textOf, words } from "./words.ts";

/** What repeats another part, or is shown by a view of its own. */
const ELSEWHERE = ["active_task_id", "run", "session", "imported_texts", "phases_completed", "workspace"];

interface Part {
  /** The field of the state. */
  readonly name: string;
  readonly label: string;
  readonly content: ComponentChildren;
}

/**
 * The work state as a person reads it. `changed` names the parts that differ from the moment before: they are marked.
 * `leaveOut` names parts that are not shown.
 */
export function WorkStateView(props: {
  state: WorkState;
  changed?: ReadonlySet<string>;
  leaveOut?: ReadonlySet<string>;
}) {
  const parts = partsOf(props.state).filter(({ name }) => !props.leaveOut?.has(name));
  return (
    <dl class="work">
      {parts.map(({ name, label, content }) => (
        <div class={props.changed?.has(name) ? "part changed" : "part"} key={name}>
          <dt>
            {label}
            {props.changed?.has(name) && <span class="badge warn">changed</span>}
          </dt>
          <dd>{content}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The parts of a state that it has, in the order in which one wants to know them. */
function partsOf(state: WorkState): Part[] {
  const known: readonly (readonly [
    name: string,
    label: string,
    draw: (value: unknown) => ComponentChildren,
  ])[] = [
    ["goal", "Goal", words],
    ["success_criteria", "Done when", remarks],
    ["next_action", "Next", words],
    ["phase", "Phase", phase],
    ["tasks", "Tasks", (tasks) => taskList(tasks, state["active_task_id"])],
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
    ["recent_outputs", "Outputs", outputs],
    ["commands", "Commands", (list) => folded(asList(list).map((each) => words(own(each, "argv") ?? each)))],
    ["files_touched", "Files", (files) => folded(asList(files).map(words))],
  ];
  const names = new Set([...known.map(([name]) => name), ...ELSEWHERE]);
  const unknown = Object.entries(state).filter(([name]) => !names.has(name));
  const parts = known
    .filter(([name]) => !isNothing(state[name]))
    .map(([name, label, draw]): Part => ({ name, label, content: draw(state[name]) }));
  if (state["goal"] === undefined) parts.unshift({ name: "goal", label: "Goal", content: "none is set" });
  if (unknown.length > 0)
    parts.push({ name: "other", label: "More", content: pairs(Object.fromEntries(unknown)) });
  return parts;
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);

const listOf = (items: readonly ComponentChildren[]) => (
  <ul>
    {items.map((item, index) => (
      <li key={index}>{item}</li>
    ))}
  </ul>
);

const remarks = (value: unknown) =>
  listOf(
    asList(value).map((item) => (
      <>
        {entryWords(item)}
        {textOf(item, "why") && <span class="quiet"> because {textOf(item, "why")}</span>}{" "}
        <span class="quiet small">{textOf(item, "by")}</span>
      </>
    )),
  );

const phase = (value: unknown) => (
  <>
    {textOf(value, "number")} {textOf(value, "name")} <Badge status={textOf(value, "status") ?? "unknown"} />
  </>
);

const taskList = (tasks: unknown, active: unknown) =>
  listOf(
    asList(tasks).map((task) => (
      <>
        <Badge status={textOf(task, "status") ?? "unknown"} /> {textOf(task, "subject") ?? words(task)}
        {active !== undefined && textOf(task, "id") === active && <strong> (active)</strong>}
        {asList(own(task, "blocked_by")).length > 0 && (
          <span class="quiet small"> after {asList(own(task, "blocked_by")).map(words).join(", ")}</span>
        )}
      </>
    )),
  );

export const withStatus = (items: unknown) =>
  listOf(
    asList(items).map((item) => (
      <>
        <Badge status={textOf(item, "status") ?? "unknown"} />{" "}
        {textOf(item, "name", "description", "type", "id")}{" "}
        <span class="quiet small">{textOf(item, "reason", "endpoint", "last_message")}</span>
      </>
    )),
  );

const outputs = (items: unknown) =>
  listOf(
    asList(items)
      .toReversed()
      .map((item) => (
        <>
          <Badge status={own(item, "success") === false ? "failed" : "ok"} />{" "}
          {textOf(item, "action", "type") ?? words(item)}
        </>
      )),
  );

const MOST = 500;
const shortened = (said: string) =>
  said.length > MOST ? `${said.slice(0, MOST)}… (${said.length} characters)` : said;

const pairs = (value: unknown) => (
  <Table
    label="Values"
    rows={Object.entries(value as object).map(([name, content]) => [
      <span class="mono">{name}</span>,
      <span class="mono">{shortened(words(content))}</span>,
    ])}
  />
);

const folded = (lines: readonly string[]) => (
  <details>
    <summary>
      {lines.length}, the last one: <span class="mono">{lines.at(-1)}</span>
    </summary>
    <ul class="mono small">
      {lines.map((line, index) => (
        <li key={index}>{line}</li>
      ))}
    </ul>
  </details>
);
