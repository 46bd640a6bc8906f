import { toneOf } from "./parts.tsx";

interface StepNode {
  readonly id: string;
  readonly needs: readonly string[];
  readonly status: string;
}

const [WIDTH, HEIGHT, ACROSS, DOWN] = [134, 34, 30, 14];

/** The steps of a run, from left to right: each stands right of all that it waits for. */
export function RunGraph(props: { nodes: readonly StepNode[]; choose: (step: string) => unknown }) {
  const { nodes } = props;
  const places = placesOf(nodes);
  const columns = Math.max(0, ...[...places.values()].map(({ column }) => column)) + 1;
  const rows = Math.max(0, ...[...places.values()].map(({ row }) => row)) + 1;
  const x = (column: number) => column * (WIDTH + ACROSS) + 2;
  const y = (row: number) => row * (HEIGHT + DOWN) + 2;
  return (
    <div
      class="graph"
      role="img"
      tabIndex={0}
      aria-label={`Steps: ${nodes.map(({ id, status }) => `${id} ${status}`).join(", ")}`}
    >
      <svg width={columns * (WIDTH + ACROSS)} height={rows * (HEIGHT + DOWN) + 4}>
        {nodes.flatMap(({ id, needs }) =>
          needs.map((need) => {
            const [from, to] = [places.get(need), places.get(id)];
            if (!from || !to) return null;
            const [x1, y1] = [x(from.column) + WIDTH, y(from.row) + HEIGHT / 2];
            const [x2, y2] = [x(to.column), y(to.row) + HEIGHT / 2];
            const middle = (x1 + x2) / 2;
            return (
              <path
                key={`${need} ${id}`}
                class="edge"
                d={`M${x1},${y1} C${middle},${y1} ${middle},${y2} ${x2},${y2}`}
              />
            );
          }),
        )}
        {nodes.map(({ id, status }) => {
          const { column, row } = places.get(id) as Place;
          const tone = status === "running" ? "live" : toneOf(status);
          return (
            <g
              key={id}
              class={tone}
              transform={`translate(${x(column)},${y(row)})`}
              onClick={() => props.choose(id)}
            >
              <title>{`${id}: ${status}`}</title>
              <rect width={WIDTH} height={HEIGHT} rx="6" />
              <circle cx="14" cy={HEIGHT / 2} r="4" />
              <text x="26" y={HEIGHT / 2 + 4}>
                {id.length > 15 ? `${id.slice(0, 14)}…` : id}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

interface Place {
  readonly column: number;
  readonly row: number;
}

function placesOf(nodes: readonly StepNode[]): Map<string, Place> {
  const needsOf = new Map(nodes.map(({ id, needs }) => [id, needs]));
  const columns = new Map<string, number>();
  const columnOf = (id: string, seen: ReadonlySet<string>): number => {
    const known = columns.get(id);
    if (known !== undefined || seen.has(id)) return known ?? 0;
    const before = (needsOf.get(id) ?? []).map((need) => columnOf(need, new Set([...seen, id])));
    const column = before.length === 0 ? 0 : Math.max(...before) + 1;
    columns.set(id, column);
    return column;
  };
  const rows = new Map<number, number>();
  return new Map(
    nodes.map(({ id }) => {
      const column = columnOf(id, new Set());
      const row = rows.get(column) ?? 0;
      rows.set(column, row + 1);
      return [id, { column, row }];
    }),
  );
}
