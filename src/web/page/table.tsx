import type { ComponentChildren } from "preact";

/** A table. The cells of a column whose title begins with # are numbers. */
export function Table(props: {
  columns?: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
  label?: string;
}) {
  const { columns = [], label } = props;
  const kind = (column: number) => (columns[column]?.startsWith("#") ? "number" : undefined);
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label ?? columns[0] ?? "Facts"}>
      <table>
        {columns.length > 0 && (
          <thead>
            <tr>
              {columns.map((title, column) => (
                <th scope="col" class={kind(column)} key={title}>
                  {title.replace(/^#/, "")}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {props.rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) =>
                column === 0 ? (
                  <th scope="row" key={column}>
                    {cell}
                  </th>
                ) : (
                  <td class={kind(column)} key={column}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
