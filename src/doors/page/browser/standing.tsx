import type { ComponentChildren } from "preact";

import { phaseName } from "../../../work/state/words.ts";
import { Ago, Badge, Bar, TrailLink } from "./parts.tsx";
import { List } from "./table.tsx";
import type { Answers } from "./shapes.ts";
import { asLine, countWords, entryWords, textOf } from "./words.ts";

export type Stands = NonNullable<Answers["standing"]>;

/** The goal and how far it is: what one look is for. */
export function Standing({ stands }: { stands: Stands }) {
  const { goal, phase, tasks, next_action: next, active_task: active, success_criteria: criteria } = stands;
  const cells: [label: string, content: ComponentChildren][] = [
    ["Next", next ? asLine(next) : <span class="quiet">no next action is set</span>],
    [
      "Progress",
      tasks.total === 0 ? (
        <span class="quiet">no tasks</span>
      ) : (
        <>
          {tasks.done} of {countWords(tasks.total, "task")} done
          <Bar size={(100 * tasks.done) / tasks.total} tone="good" />
          {active && <span class="small">now: {entryWords(active)}</span>}
        </>
      ),
    ],
    [
      "Phase",
      phase ? (
        <>
          {phaseName(phase)} <Badge status={textOf(phase, "status") ?? "unknown"} />
        </>
      ) : (
        <span class="quiet">none is set</span>
      ),
    ],
  ];
  return (
    <section class="standing" aria-label="Where the work stands">
      <h1>{goal ?? "No goal is set yet"}</h1>
      <p class="small quiet">
        {criteria.items.length > 0 && `Done when: ${criteria.items.map(entryWords).join("; ")} · `}
        saved <Ago at={stands.saved_at} /> on <TrailLink name={stands.trail} />
      </p>
      <dl class="cells">
        {cells.map(([label, content]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{content}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What holds for everyone, and what stands in the way. */
export function Conditions({ stands }: { stands: Stands }) {
  const parts = [
    ["Blockers", stands.blockers, "bad"],
    ["Failing checks", stands.checks_failing, "bad"],
    ["Rules", stands.constraints, ""],
  ] as const;
  return parts.map(
    ([title, { items, total }, tone]) =>
      total > 0 && (
        <section key={title}>
          <h2>{title}</h2>
          <List class={`marked ${tone}`} items={items.map((item) => entryWords(item))} />
          {total > items.length && <p class="small quiet">and {total - items.length} older</p>}
        </section>
      ),
  );
}
