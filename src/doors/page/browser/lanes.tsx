import { formatDuration } from "../../../core/text/duration.ts";
import { toneOf } from "./parts.tsx";
import type { Moment, Trail } from "./shapes.ts";

const [FIRST_PX, LANE_PX, MIDDLE_PX, ROW_PX] = [10, 12, 26, 52];
const MOST_LANES = 8;
/** A pause that is told: time in between is not drawn to scale. */
const PAUSE_MS = 3_600_000;

/** The trails that were forked from this one, each in a lane of its own; the newest fork stands next to the trail. */
export function lanesOf(trails: readonly Trail[], trail: string): readonly Trail[] {
  const forkedAt = ({ forked_from: from }: Trail) => Date.parse(from?.created_at ?? "");
  return trails
    .filter(({ forked_from: from, head }) => from?.trail === trail && head !== null)
    .toSorted((a, b) => forkedAt(b) - forkedAt(a))
    .slice(0, MOST_LANES);
}

export const lanesWidth = (lanes: readonly Trail[]) => 2 * FIRST_PX + lanes.length * LANE_PX;

interface RowOf {
  readonly moment: Moment | undefined;
  /** The one after it in time. */
  readonly newer: Moment | undefined;
  readonly isOldest: boolean;
}

/** The piece of all lanes beside one moment. */
export function Lanes({ lanes, row }: { lanes: readonly Trail[]; row: RowOf }) {
  const { moment, newer, isOldest } = row;
  const pause = pauseBefore(moment, newer);
  return (
    <svg width={lanesWidth(lanes)} height={ROW_PX} aria-hidden="true">
      {newer && (
        <line class={pause > 0 ? "pause" : undefined} x1={FIRST_PX} x2={FIRST_PX} y1={0} y2={MIDDLE_PX} />
      )}
      {!isOldest && <line x1={FIRST_PX} x2={FIRST_PX} y1={MIDDLE_PX} y2={ROW_PX} />}
      {moment && lanes.map((fork, index) => laneOf(fork, FIRST_PX + LANE_PX * (index + 1), row))}
      {moment?.damaged ? (
        <path class="node damaged" d={`M${FIRST_PX},19 l7,7 l-7,7 l-7,-7 z`} />
      ) : (
        <circle cx={FIRST_PX} cy={MIDDLE_PX} r="5" class={nodeClass(moment, newer)} />
      )}
    </svg>
  );
}

const nodeClass = (moment: Moment | undefined, newer: Moment | undefined) =>
  moment && isImport(moment) ? "import" : newer ? undefined : toneOf("live");

export const isImport = ({ trigger }: Moment) => trigger.startsWith("import");

function laneOf({ name, forked_from: from, head }: Trail, x: number, { moment, newer }: RowOf) {
  const at = moment!.created_at;
  const ends = head!.created_at;
  if (from!.created_at > at || ends < at) return null;
  const isStart = from!.checkpoint_id === moment!.checkpoint_id;
  const isEnd = newer === undefined || newer.created_at > ends;
  const top = isEnd ? 8 : 0;
  return (
    <g key={name} class="lane">
      {isStart ? (
        <path d={`M${FIRST_PX},${MIDDLE_PX} C${x},${MIDDLE_PX} ${x},${MIDDLE_PX} ${x},${top}`} />
      ) : (
        <line x1={x} x2={x} y1={top} y2={ROW_PX} />
      )}
      {isEnd && <circle cx={x} cy={top} r="3.5" />}
    </g>
  );
}

function pauseBefore(moment: Moment | undefined, newer: Moment | undefined): number {
  if (!moment || !newer) return 0;
  const pause = Date.parse(newer.created_at) - Date.parse(moment.created_at);
  return pause > PAUSE_MS ? pause : 0;
}

/** The day where one begins, and how long nothing happened after it. */
export function timeWords(moment: Moment, newer: Moment | undefined, older: Moment | undefined): string {
  const day = (each: Moment) => new Date(each.created_at).toLocaleDateString();
  const pause = pauseBefore(moment, newer);
  return [
    older && day(older) !== day(moment) && day(moment),
    pause > 0 && `then nothing for ${formatDuration(pause)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}
