import { diffSections, topOf } from "../../../work/state/diff-words.ts";
import type { WorkDiff } from "../../../work/state/work-diff.ts";
import { List } from "./table.tsx";

const TONES = { "+": "good", "-": "bad", "~": "warn" };

/** What changed, in the words that the command uses too. */
export function ChangeList({ changes }: { changes: WorkDiff }) {
  const sections = diffSections(changes);
  if (sections.length === 0) return <p class="quiet">Nothing in the work state changed.</p>;
  return sections.map(([title, lines]) => (
    <section key={title} aria-label={title}>
      <p class="quiet small">{title}</p>
      <List items={lines.map(({ sign, text }) => [<b class={TONES[sign]}>{sign}</b>, " ", text])} />
    </section>
  ));
}

/** The parts of the work state that these changes touch. */
export function changedParts(changes: WorkDiff | null): ReadonlySet<string> {
  if (changes === null) return new Set();
  const { phase, tasks, dependencies, variables, other } = changes;
  const touched = Object.entries({ tasks, dependencies, variables }).filter(([, part]) =>
    Object.values(part).some((entries) => Object.keys(entries).length > 0),
  );
  return new Set([
    ...(phase ? ["phase"] : []),
    ...touched.map(([name]) => name),
    ...other.map(({ path }) => topOf(path)),
  ]);
}
