import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";

import type { Answers } from "./shapes.ts";
import { bytes } from "./words.ts";

const HEIGHT_PX = 200;

/** How the store grew, day by day. */
export function GrowthChart({ days }: { days: Answers["usage"]["days"] }) {
  const box = useRef<HTMLDivElement>(null);
  let sum = 0;
  const points = days.map((day) => (sum += day.bytes));
  useEffect(() => {
    const area = box.current;
    if (area === null) return () => {};
    // A canvas cannot use CSS variables, so style.css sets its colours as properties of this box.
    const { color, outlineColor, stroke, fill } = getComputedStyle(area);
    const axis = { stroke: color, grid: { stroke: outlineColor, width: 1 } };
    const chart = new UPlot(
      {
        width: area.clientWidth,
        height: HEIGHT_PX,
        legend: { show: false },
        axes: [axis, { ...axis, size: 70, values: (_chart, values) => values.map((value) => bytes(value)) }],
        series: [{}, { stroke, fill, width: 2, points: { show: days.length < 60 } }],
      },
      [days.map(({ day }) => Date.parse(day) / 1000), points],
      area,
    );
    const watch = new ResizeObserver(() => chart.setSize({ width: area.clientWidth, height: HEIGHT_PX }));
    watch.observe(area);
    return () => {
      watch.disconnect();
      chart.destroy();
    };
  }, [JSON.stringify(days)]);
  return (
    <div
      class="chart"
      ref={box}
      role="img"
      aria-label={`Growth from ${days[0]?.day} to ${days.at(-1)?.day}, to ${bytes(sum)}`}
    />
  );
}
