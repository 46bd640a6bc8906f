import type { Answers } from "./shapes.ts";
import { bytes } from "./words.ts";

/** How the store grew, day by day. */
export function GrowthChart({ days }: { days: Answers["usage"]["days"] }) {
  let sum = 0;
  const points = days.map(({ day, bytes: added }) => ({ at: Date.parse(day), sum: (sum += added) }));
  const [first = 0, last = 0] = [points[0]?.at, points.at(-1)?.at];
  const line = points
    .map(
      ({ at, sum: total }) =>
        `${(100 * (at - first)) / (last - first || 1)},${100 - (100 * total) / (sum || 1)}`,
    )
    .join(" ");
  return (
    <div
      class="chart"
      role="img"
      aria-label={`Growth from ${days[0]?.day} to ${days.at(-1)?.day}, to ${bytes(sum)}`}
    >
      <svg viewBox="0 0 100 100" preserveAspectRatio="none">
        <polygon points={`0,100 ${line} 100,100`} />
        <polyline points={line} />
      </svg>
      <p class="row small quiet">
        <span class="grow">{days[0]?.day}</span>
        <span>
          {bytes(sum)} on {days.at(-1)?.day}
        </span>
      </p>
    </div>
  );
}
