import type { ComponentChildren } from "preact";

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
  return (
    <>
      {title && <h2>{title}</h2>}
      {rows.length === 0 && empty}
      <div
        class="scroll"
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
            {rows.map(([first, ...cells], row) => (
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
      </div>
    </>
  );
}

export function List({ items, class: kind }: { items: readonly ComponentChildren[]; class?: string }) {
  return (
    <ul class={kind}>
      {items.map((item, index) => (
        <li key={index}>{item}</li>
      ))}
    </ul>
  );
}
