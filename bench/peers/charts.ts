/** A line of a chart: steps and bytes. */
export interface Line {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly (readonly [steps: number, bytes: number])[];
}

const STYLE =
  "text{font:13px system-ui,sans-serif;fill:#57606a}.title{font-weight:600;font-size:15px;fill:#24292f}.grid{stroke:#d0d7de}@media(prefers-color-scheme:dark){text{fill:#9198a1}.title{fill:#e6edf3}.grid{stroke:#3d444d}}";
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [760, 380, 80, 190, 50, 45];

/** Bytes over steps, both on logarithmic scales. */
export function linesChart(title: string, lines: readonly Line[]): string {
  const all = lines.flatMap(({ points }) => points);
  const steps = [...new Set(all.map(([step]) => step))].toSorted((a, b) => a - b);
  const least = Math.floor(Math.log10(Math.min(...all.map(([, bytes]) => bytes))));
  const most = Math.ceil(Math.log10(Math.max(...all.map(([, bytes]) => bytes))));
  const [first, last] = [steps[0] ?? 1, steps.at(-1) ?? 10];
  const x = (step: number) =>
    LEFT + (Math.log(step / first) / Math.log(last / first)) * (WIDTH - LEFT - RIGHT);
  const y = (bytes: number) =>
    HEIGHT - BOTTOM - ((Math.log10(bytes) - least) / (most - least)) * (HEIGHT - TOP - BOTTOM);
  const rows = Array.from({ length: most - least + 1 }, (_, at) => 10 ** (least + at)).map(
    (bytes) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(bytes)}" y2="${y(bytes)}"/><text x="${LEFT - 8}" y="${y(bytes) + 4}" text-anchor="end">${sizeOf(bytes)}</text>`,
  );
  const columns = steps.map(
    (step) =>
      `<text x="${x(step)}" y="${HEIGHT - 20}" text-anchor="middle">${step.toLocaleString("en")}</text>`,
  );
  const drawn = lines.map(({ name, colour, points }) => {
    const at = points.map(([step, bytes]) => `${x(step).toFixed(1)},${y(bytes).toFixed(1)}`);
    const [lastStep, lastBytes] = points.at(-1) ?? [first, 1];
    const dots = at.map(
      (point) => `<circle cx="${point.split(",")[0]}" cy="${point.split(",")[1]}" r="3.5" fill="${colour}"/>`,
    );
    return `<polyline points="${at.join(" ")}" fill="none" stroke="${colour}" stroke-width="2.5"/>${dots.join("")}<text x="${x(lastStep) + 10}" y="${y(lastBytes) + 4}" style="fill:${colour};font-weight:600">${name}, ${sizeOf(lastBytes)}</text>`;
  });
  return svg(WIDTH, HEIGHT, title, [...rows, ...columns, ...drawn]);
}

/** Ratios as bars; a line stands at 1, where both are equal. */
export function barsChart(
  title: string,
  bars: readonly { readonly name: string; readonly ratio: number }[],
): string {
  const [row, left, right] = [30, 250, 70];
  const height = TOP + bars.length * row + 30;
  const most = Math.max(1.2, ...bars.map(({ ratio }) => ratio)) * 1.05;
  const x = (ratio: number) => left + (ratio / most) * (WIDTH - left - right);
  const drawn = bars.map(({ name, ratio }, at) => {
    const top = TOP + at * row;
    const colour = ratio <= 1 ? "#2da44e" : "#cf222e";
    return `<text x="${left - 10}" y="${top + 18}" text-anchor="end">${name}</text><rect x="${left}" y="${top + 4}" width="${(x(ratio) - left).toFixed(1)}" height="${row - 10}" rx="3" fill="${colour}"/><text x="${x(ratio) + 6}" y="${top + 18}" style="font-weight:600">${ratio.toFixed(2)}</text>`;
  });
  const one = `<line class="grid" x1="${x(1)}" x2="${x(1)}" y1="${TOP - 8}" y2="${height - 24}" stroke-dasharray="4 3"/><text x="${x(1)}" y="${height - 8}" text-anchor="middle">SqliteSaver = 1</text>`;
  return svg(WIDTH, height, title, [one, ...drawn]);
}

function svg(width: number, height: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}"><style>${STYLE}</style><text class="title" x="16" y="26">${title}</text>${parts.join("")}</svg>\n`;
}

function sizeOf(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"];
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toPrecision(2)} ${units[power]}`;
}
