import type { ComponentChildren } from "preact";

import { Badge } from "./parts.tsx";
import type { WorkState } from "./shapes.ts";
import { asList, entryWords, own, textOf, words } from "./words.ts";

/** The parts that have a place of their own below; all others follow as they are. */
const KNOWN = new Set(
  "goal success_criteria next_action instructions constraints decisions blockers gotchas phase phases_completed tasks active_task_id dependencies variables recent_outputs files_touched commands checks_failing subagents workspace approvals_pending run session imported_texts".split(
    " ",
  ),
);

/**
 * The work state as a person reads it. `changed` names the parts that differ from the moment before; they are marked.
 */
export function WorkStateView({ state, changed }: { state: WorkState; changed?: ReadonlySet<string> }) {
  const part = (name: string, label: string, children: ComponentChildren) => (
    <section class={changed?.has(name) ? "changed" : undefined} key={name}>
      <h2>{label}</h2>
      {children}
    </section>
  );
  const remarks = (name: string, label: string) =>
    asList(state[name]).length > 0 &&
    part(
      name,
      label,
      <ul>
        {asList(state[name]).map((item, index) => (
          <li key={index}>
            {entryWords(item)}
            {textOf(item, "why") && <span class="quiet"> — {textOf(item, "why")}</span>} <By item={item} />
          </li>
        ))}
      </ul>,
    );
  const unknown = Object.entries(state).filter(([name]) => !KNOWN.has(name));
  return (
    <>
      {part("goal", "Goal", <p>{words(state["goal"] ?? "No goal is set.")}</p>)}
      {remarks("success_criteria", "Done when")}
      {state["next_action"] !== undefined &&
        part("next_action", "Next", <p>{words(state["next_action"])}</p>)}
      {own(state["phase"], "name") !== undefined &&
        part(
          "phase",
          "Phase",
          <p>
            {textOf(state["phase"], "number")} {textOf(state["phase"], "name")}{" "}
            <Badge status={textOf(state["phase"], "status") ?? "?"} />
          </p>,
        )}
      {asList(state["tasks"]).length > 0 && part("tasks", "Tasks", <Tasks state={state} />)}
      {remarks("blockers", "Blocked by")}
      {remarks("constraints", "Constraints")}
      {remarks("decisions", "Decisions")}
      {remarks("gotchas", "Gotchas")}
      {remarks("checks_failing", "Failing checks")}
      {Object.keys(state["variables"] ?? {}).length > 0 &&
        part("variables", "Variables", <Pairs value={state["variables"] as object} />)}
      {asList(state["dependencies"]).length > 0 &&
        part("dependencies", "Dependencies", <Dependencies items={asList(state["dependencies"])} />)}
      {asList(state["recent_outputs"]).length > 0 &&
        part("recent_outputs", "Recent outputs", <Outputs items={asList(state["recent_outputs"])} />)}
      {asList(state["files_touched"]).length > 0 &&
        part(
          "files_touched",
          `Files touched (${asList(state["files_touched"]).length})`,
          <details>
            <summary>{words(asList(state["files_touched"])[0])} …</summary>
            <ul class="mono small">
              {asList(state["files_touched"]).map((file, index) => (
                <li key={index}>{words(file)}</li>
              ))}
            </ul>
          </details>,
        )}
      {unknown.length > 0 && part("other", "More", <Pairs value={Object.fromEntries(unknown)} />)}
    </>
  );
}

function By({ item }: { item: unknown }) {
  const by = textOf(item, "by");
  return by === undefined ? null : <span class="quiet small">{by}</span>;
}

function Tasks({ state }: { state: WorkState }) {
  return (
    <ul>
      {asList(state["tasks"]).map((task, index) => (
        <li key={index}>
          <Badge status={textOf(task, "status") ?? "?"} /> {textOf(task, "subject") ?? words(task)}
          {textOf(task, "id") === state["active_task_id"] && <strong> (active)</strong>}
          {asList(own(task, "blocked_by")).length > 0 && (
            <span class="quiet small"> after {asList(own(task, "blocked_by")).map(words).join(", ")}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Pairs({ value }: { value: object }) {
  return (
    <table>
      <tbody>
        {Object.entries(value).map(([name, content]) => (
          <tr key={name}>
            <th scope="row" class="mono">
              {name}
            </th>
            <td class="mono">{shortened(words(content))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Dependencies({ items }: { items: readonly unknown[] }) {
  return (
    <ul>
      {items.map((item, index) => (
        <li key={index}>
          {textOf(item, "name")} <span class="quiet">{textOf(item, "type")}</span>{" "}
          <span class={textOf(item, "status") === "available" ? "good" : "bad"}>
            {textOf(item, "status")}
          </span>{" "}
          <span class="quiet small">{textOf(item, "reason")}</span>
        </li>
      ))}
    </ul>
  );
}

function Outputs({ items }: { items: readonly unknown[] }) {
  return (
    <ul>
      {items.toReversed().map((item, index) => (
        <li key={index}>
          <span class={own(item, "success") === false ? "bad" : "good"}>
            {own(item, "success") === false ? "failed" : "ok"}
          </span>{" "}
          {textOf(item, "action") ?? textOf(item, "type")}
        </li>
      ))}
    </ul>
  );
}

const MOST = 500;
const shortened = (said: string) =>
  said.length > MOST ? `${said.slice(0, MOST)}… (${said.length} characters)` : said;
