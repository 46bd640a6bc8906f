import { fieldOf } from "../../../work/state/fields.ts";
import { topOf } from "../../../work/state/diff-words.ts";
import type { ItemChanges, WorkDiff } from "../../../work/state/work-diff.ts";
import { Copy } from "./parts.tsx";
import { Table } from "./table.tsx";
import { entryWords, textOf } from "./words.ts";

/** A place of the work state, before and after; null where there was nothing. */
interface Place {
  readonly part: string;
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** What changed, in two columns: what was on the left, what is on the right. */
export function SideBySide(props: { changes: WorkDiff; from: string; to: string }) {
  const places = placesOf(props.changes);
  if (places.length === 0) return <p class="card quiet">Nothing in the work state changed.</p>;
  const parts = Map.groupBy(places, ({ part }) => part);
  return (
    <>
      <p class="row">
        <span class="grow quiet">{places.length.toLocaleString()} places differ</span>
        <Copy label="Copy as patch" text={() => patchOf(places, props)} />
      </p>
      {[...parts].map(([part, all]) => (
        <div class="sides" key={part}>
          <Table
            title={fieldOf(part)?.label ?? part}
            columns={["Place", "Before", "After"]}
            rows={all.map((place) => [<span class="mono">{place.path}</span>, ...cellsOf(place)])}
          />
        </div>
      ))}
    </>
  );
}

/** Both values, with the part in which they differ marked. */
function cellsOf({ from, to }: Place) {
  const [a, b] = [from ?? "", to ?? ""];
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const marked = (value: string) => [
    value.slice(0, start),
    <mark>{value.slice(start, value.length - end)}</mark>,
    value.slice(value.length - end),
  ];
  const isEdited = start + end > 2 && from !== null && to !== null;
  return [
    from !== null && <div class="value bad">{isEdited ? marked(a) : a}</div>,
    to !== null && <div class="value good">{isEdited ? marked(b) : b}</div>,
  ];
}

function placesOf({ phase, tasks, dependencies, variables, other }: WorkDiff): Place[] {
  return [
    ...(phase ? [placeOf("phase", "phase", phase.from, phase.to)] : []),
    ...itemPlaces("tasks", tasks),
    ...itemPlaces("dependencies", dependencies),
    ...Object.entries(variables.added).map(([key, to]) => placeOf("variables", key, null, to)),
    ...Object.entries(variables.removed).map(([key, from]) => placeOf("variables", key, from, null)),
    ...Object.entries(variables.changed).map(([key, { from, to }]) => placeOf("variables", key, from, to)),
    ...other.map(({ path, from, to }) => placeOf(topOf(path), path, from, to)),
  ];
}

const itemPlaces = (part: string, { added, removed, changed }: ItemChanges): Place[] => [
  ...added.map((item) => placeOf(part, textOf(item, "id", "name") ?? "", null, item)),
  ...removed.map((item) => placeOf(part, textOf(item, "id", "name") ?? "", item, null)),
  ...changed.flatMap(({ id, title, fields }) =>
    Object.entries(fields).map(([field, { from, to }]) =>
      placeOf(part, `${id} ${title}: ${field}`, from, to),
    ),
  ),
];

const placeOf = (part: string, path: string, from: unknown, to: unknown): Place => ({
  part,
  path,
  from: written(from),
  to: written(to),
});

function written(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  const words = entryWords(value);
  return [words, textOf(value, "status"), textOf(value, "why")].filter(Boolean).join("\n");
}

/** As text, in the form of a patch. */
const patchOf = (places: readonly Place[], { from, to }: { from: string; to: string }) =>
  [
    `--- ${from}`,
    `+++ ${to}`,
    ...places.flatMap((place) => [
      `@@ ${place.part}: ${place.path} @@`,
      ...signed("-", place.from),
      ...signed("+", place.to),
    ]),
    "",
  ].join("\n");

const signed = (sign: string, text: string | null) =>
  text === null ? [] : text.split("\n").map((line) => `${sign}${line}`);
