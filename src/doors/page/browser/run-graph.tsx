import { toneOf } from "./parts.tsx";
import { hrefTo } from "./route.ts";
import type { Run } from "./shapes.ts";

const [WIDTH, HEIGHT, ACROSS, DOWN] = [134, 34, 30, 14];

/** The steps of a run, from left to right: each stands right of all that it waits for. */
export function RunGraph({ run }: { run: Run }) {
  const statuses = new Map(run.steps.map(({ id, status }) => [id, status]));
  const nodes = run.definition.map((step) => ({ ...step, status: statuses.get(step.id) ?? "pending" }));
  const places = placesOf(run.definition);
  const all = [...places.values()];
  const edges = nodes.flatMap(({ id, needs }) =>
    needs.map((need) => {
      const [from, to] = [places.get(need), places.get(id)];
      if (!from || !to) return null;
      const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
      const middle = (x1 + x2) / 2;
      return <path key={need + id} d={`M${x1},${y1} C${middle},${y1} ${middle},${y2} ${x2},${y2}`} />;
    }),
  );
  return (
    <div class="graph scroll" role="group" aria-label="Steps and what each waits for">
      <svg
        width={Math.max(...all.map(({ x }) => x)) + WIDTH + 2}
        height={Math.max(...all.map(({ y }) => y)) + HEIGHT + 2}
      >
        {edges}
        {nodes.map(({ id, status }) => (
          <a key={id} href={hrefTo("run", { id: run.id, step: id })}>
            <g
              class={status === "running" ? "live" : toneOf(status)}
              transform={`translate(${places.get(id)?.x},${places.get(id)?.y})`}
            >
              <title>{`${id}: ${status}`}</title>
              <rect width={WIDTH} height={HEIGHT} rx="6" />
              <circle cx="14" cy={HEIGHT / 2} r="4" />
              <text x="26" y={HEIGHT / 2 + 4}>
                {id.length > 15 ? `${id.slice(0, 14)}…` : id}
              </text>
            </g>
          </a>
        ))}
      </svg>
    </div>
  );
}

function placesOf(steps: Run["definition"]): Map<string, { readonly x: number; readonly y: number }> {
  const columns = new Map<string, number>();
  const columnOf = (id: string): number => {
    if (!columns.has(id)) {
      // So that it ends even if a damaged run goes in circles.
      columns.set(id, 0);
      const needs = steps.find((step) => step.id === id)?.needs ?? [];
      columns.set(id, Math.max(-1, ...needs.map(columnOf)) + 1);
    }
    return columns.get(id)!;
  };
  const heights: number[] = [];
  return new Map(
    steps.map(({ id }) => {
      const column = columnOf(id);
      const row = heights[column] ?? 0;
      heights[column] = row + 1;
      return [id, { x: column * (WIDTH + ACROSS) + 2, y: row * (HEIGHT + DOWN) + 2 }];
    }),
  );
}
