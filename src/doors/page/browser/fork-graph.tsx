import { TrailLink } from "./parts.tsx";
import type { Trail } from "./shapes.ts";
import { trailWords } from "./words.ts";

const LANE_PX = 24;
const MOST = 40;

/** The trails that belong together by forks, each as a line in time from where it began to its newest checkpoint. */
export function ForkGraph({ trails, current }: { trails: readonly Trail[]; current: string }) {
  const family = familyOf(trails, current).slice(0, MOST);
  if (family.length < 2) return null;
  const lanes = new Map(family.map(({ name }, index) => [name, index]));
  const times = family.flatMap(({ head, forked_from }) =>
    [head?.created_at, forked_from?.created_at].flatMap((at) => (at ? [Date.parse(at)] : [])),
  );
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const x = (at: string | undefined) =>
    at === undefined ? 2 : 2 + (94 * (Date.parse(at) - first)) / (last - first || 1);
  const y = (name: string) => (lanes.get(name) ?? 0) * LANE_PX + LANE_PX / 2;
  return (
    <section class="forks" aria-label="Forks">
      <ul>
        {family.map(({ name }) => (
          <li key={name}>
            {name === current ? <strong>{trailWords(name)}</strong> : <TrailLink name={name} />}
          </li>
        ))}
      </ul>
      <svg height={family.length * LANE_PX} aria-hidden="true">
        {family.map(({ name, forked_from, head }) => {
          const [start, end] = [forked_from ? x(forked_from.created_at) : 0, x(head?.created_at)];
          return (
            <g key={name} class={name === current ? "live" : undefined}>
              {forked_from && lanes.has(forked_from.trail) && (
                <line x1={`${start}%`} x2={`${start}%`} y1={y(forked_from.trail)} y2={y(name)} />
              )}
              <line x1={`${start}%`} x2={`${end}%`} y1={y(name)} y2={y(name)} />
              <circle cx={`${end}%`} cy={y(name)} r="4" />
              {forked_from && <circle cx={`${start}%`} cy={y(forked_from.trail)} r="3" />}
            </g>
          );
        })}
      </svg>
    </section>
  );
}

/** The trails that are related to this one by forks, each after the one it was forked from. */
function familyOf(trails: readonly Trail[], current: string): Trail[] {
  const family = new Set([current]);
  for (let known = 0; known < family.size;) {
    known = family.size;
    for (const { name, forked_from: from } of trails)
      if (from && (family.has(name) || family.has(from.trail))) family.add(name).add(from.trail);
  }
  const begin = ({ forked_from }: Trail) => Date.parse(forked_from?.created_at ?? "") || 0;
  return trails.filter(({ name }) => family.has(name)).toSorted((a, b) => begin(a) - begin(b));
}
