import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** How many entries are drawn at once. More follow when the end of them comes into sight. */
const MOST = 100;

/** How many entries are drawn by now, and what stands behind them as long as there are more. */
function useMore(total: number, first = 0): [shown: number, end: ComponentChildren] {
  const [shown, setShown] = useState(Math.max(MOST, first + MOST / 2));
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setShown(shown + MOST);
    });
    if (end.current) watch.observe(end.current);
    return () => watch.disconnect();
  }, [shown, shown < total]);
  if (shown >= total) return [total, null];
  return [
    shown,
    <div class="more small quiet" ref={end}>
      {(total - shown).toLocaleString()} more
    </div>,
  ];
}

/** A table, below its title if it has one. The cells of a column whose title begins with # are aligned right. */
export function Table(props: {
  title?: string;
  columns?: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
  /** What is shown if there is no row. */
  empty?: ComponentChildren;
}) {
  const { title, columns = [], rows, empty = <p class="quiet">None.</p> } = props;
  const kind = (column: number) => (columns[column]?.startsWith("#") ? "number" : undefined);
  const [shown, end] = useMore(rows.length);
  return (
    <>
      {title && <h2>{title}</h2>}
      {rows.length === 0 && empty}
      <div
        class={rows.length > MOST ? "scroll long" : "scroll"}
        tabIndex={0}
        role="group"
        aria-label={title ?? columns[0] ?? "Facts"}
        hidden={rows.length === 0}
      >
        <table>
          <thead hidden={columns.length === 0}>
            <tr>
              {columns.map((name, column) => (
                <th scope="col" class={kind(column)} key={column}>
                  {name.replace(/^#/, "")}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map(([first, ...cells], row) => (
              <tr key={row}>
                <th scope="row">{first}</th>
                {cells.map((cell, index) => (
                  <td class={kind(index + 1)} key={index}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {end}
      </div>
    </>
  );
}

export function List({ items, class: kind = "" }: { items: readonly ComponentChildren[]; class?: string }) {
  const [shown, end] = useMore(items.length);
  const list = (
    <ul class={kind}>
      {items.slice(0, shown).map((item, index) => (
        <li key={index}>{item}</li>
      ))}
    </ul>
  );
  if (items.length <= MOST) return list;
  return (
    <div class="scroll long" tabIndex={0} role="group" aria-label="Entries">
      {list}
      {end}
    </div>
  );
}

/** Entries one below the other, which scroll with the page. All up to `first` are there at once. */
export function Many(props: { items: readonly ComponentChildren[]; class?: string; first?: number }) {
  const [shown, end] = useMore(props.items.length, props.first);
  return (
    <div class={props.class}>
      {props.items.slice(0, shown)}
      {end}
    </div>
  );
}
