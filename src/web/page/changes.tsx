import type { WorkDiff } from "../../checkpoints/diff/work-diff.ts";
import { List } from "./table.tsx";
import { entryWords, textOf, words } from "./words.ts";

const SIGNS = { added: ["+", "good"], removed: ["−", "bad"], edited: ["~", "warn"] } as const;

/** What changed, in words, one line each. */
export function ChangeList({ changes }: { changes: WorkDiff }) {
  const lines = changeLines(changes);
  if (lines.length === 0) return <p class="quiet">Nothing in the work state changed.</p>;
  return (
    <List
      items={lines.map(({ kind, said }) => [<b class={SIGNS[kind][1]}>{SIGNS[kind][0]}</b>, " ", said])}
    />
  );
}

interface ChangeLine {
  readonly kind: "added" | "removed" | "edited";
  readonly said: string;
}

export function changeLines({ phase, tasks, dependencies, variables, other }: WorkDiff): ChangeLine[] {
  const items = (what: string, { added, removed, changed }: WorkDiff["tasks"]) => [
    ...added.map((item) => line("added", `${what}: ${entryWords(item)}`)),
    ...removed.map((item) => line("removed", `${what}: ${entryWords(item)}`)),
    ...changed.flatMap(({ title, fields }) =>
      Object.entries(fields)
        // The other end of the same line says it.
        .filter(([name]) => !/^blocks\b/.test(name))
        .map(([name, { from, to }]) =>
          line("edited", `${what} ${title}: ${fieldWords(name)}${arrow(from, to)}`),
        ),
    ),
  ];
  return [
    ...(phase ? [line("edited", `phase: ${phaseWords(phase.from)} → ${phaseWords(phase.to)}`)] : []),
    ...items("task", tasks),
    ...items("service", dependencies),
    ...Object.entries(variables.added).map(([name, value]) => line("added", `${name} = ${words(value)}`)),
    ...Object.entries(variables.removed).map(([name]) => line("removed", `variable ${name}`)),
    ...Object.entries(variables.changed).map(([name, { from, to }]) =>
      line("edited", `${name}: ${arrow(from, to)}`),
    ),
    ...other.filter(({ path }) => !isMirrored(path)).map(otherLine),
  ];
}

const line = (kind: ChangeLine["kind"], said: string): ChangeLine => ({ kind, said });
const arrow = (from: unknown, to: unknown) => `${entryWords(from)} → ${entryWords(to)}`;
const fieldWords = (name: string) => (name === "status" ? "" : `${name.replaceAll("_", " ")} `);

/** What only repeats another line: who added something when, and what a run says of itself a second time. */
const isMirrored = (path: string) => /\]\.(?:at|by)$|^active_task_id$|updated_at$/.test(path);

/** What people call one entry of a list. */
const ENTRIES: Readonly<Record<string, string>> = {
  constraints: "constraint",
  decisions: "decision",
  blockers: "blocker",
  gotchas: "lesson",
  success_criteria: "done when",
  files_touched: "file",
  commands: "command",
  checks_failing: "failing check",
  approvals_pending: "approval",
  recent_outputs: "output",
  subagents: "sub-agent",
  phases_completed: "completed phase",
};

function otherLine({ kind, path, from, to }: WorkDiff["other"][number]): ChangeLine {
  const [, list = "", rest = ""] = /^([a-z_]+)\[\d+\](.*)$/.exec(path) ?? [];
  const known = ENTRIES[list];
  const what = known === undefined ? path.replaceAll("_", " ") : `${known}${rest.replaceAll(/[._]/g, " ")}`;
  if (kind === "added") return line("added", `${what}: ${entryWords(to)}`);
  if (kind === "removed") return line("removed", `${what}: ${entryWords(from)}`);
  if (kind === "moved")
    return line("edited", `${what}: moved from place ${Number(from) + 1} to ${Number(to) + 1}`);
  return line("edited", `${what}: ${arrow(from, to)}`);
}

const phaseWords = (phase: unknown) =>
  [textOf(phase, "name") ?? "none", textOf(phase, "status")?.replaceAll("_", " ")].filter(Boolean).join(" ");

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
    ...other.map(({ path }) => path.replace(/[.[].*/, "")),
  ]);
}
