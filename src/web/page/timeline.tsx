import { useEffect, useRef, useState } from "preact/hooks";

import { changeLines } from "./changes.tsx";
import { Ago, Failure } from "./parts.tsx";
import { go } from "./route.ts";
import type { LogEntry, Trail } from "./shapes.ts";
import { StateAt } from "./state-at.tsx";
import { useMoments } from "./use-moments.ts";
import { countWords } from "./words.ts";
import { useMoves } from "./live.ts";

/** Rows are all of this height, so that the place of each is known before it is loaded. */
const ROW_PX = 52;
/** Rows that are drawn above and below what can be seen. */
const MARGIN = 5;

/** How long a chosen moment must rest before the address names it: browsers refuse too many changes. */
const REST_MS = 300;

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
};

/** The moments of a trail from the newest on, and the work as it stood at the one that is chosen. */
export function Timeline({
  trail,
  at,
  trails,
}: {
  trail: string;
  at: string | null;
  trails: readonly Trail[];
}) {
  const moments = useMoments(
    trail,
    useMoves((name) => name === trail),
  );
  const { total } = moments;
  // The place from the oldest on; without one, the newest is followed.
  const [chosen, setChosen] = useState<number>();
  const [scroll, setScroll] = useState({ top: 0, height: 600 });
  const box = useRef<HTMLDivElement>(null);
  const opened = useRef<number | undefined>(undefined);
  const length = total ?? 0;
  opened.current ??= total;
  const place = Math.min(chosen ?? length - 1, length - 1);
  const position = length - 1 - place;
  const first = Math.max(0, Math.floor(scroll.top / ROW_PX) - MARGIN);
  const last = Math.min(length - 1, Math.ceil((scroll.top + scroll.height) / ROW_PX) + MARGIN);
  const moment = moments.at(place);

  const choose = (next: number) => {
    const wanted = Math.min(length - 1, Math.max(0, next));
    setChosen(wanted === 0 ? undefined : length - 1 - wanted);
  };
  useEffect(() => {
    const area = box.current;
    const top = position * ROW_PX;
    if (area && (top < area.scrollTop || top > area.scrollTop + area.clientHeight - ROW_PX))
      area.scrollTop = top - area.clientHeight / 2;
  }, [chosen, total === undefined]);
  useEffect(() => {
    if (length > 0) moments.show(length - 1 - last, length - 1 - first);
  }, [first, last, total]);
  useEffect(() => {
    if (length > 0 && (position < first || position > last)) moments.show(place, place);
  }, [place, total]);
  useEffect(() => {
    if (at === null || moment?.checkpoint_id === at) return;
    void moments.find(at).then(setChosen);
  }, []);
  useEffect(() => {
    const named = chosen === undefined ? undefined : moment?.checkpoint_id;
    const isKnown = chosen === undefined || named !== undefined;
    const rest = setTimeout(
      () => isKnown && go("trail", { name: trail, at: named }, { replace: true }),
      REST_MS,
    );
    return () => clearTimeout(rest);
  }, [chosen, moment?.checkpoint_id]);

  const forksAt = (entry: LogEntry | undefined) =>
    trails
      .filter(({ forked_from }) => entry && forked_from?.checkpoint_id === entry.checkpoint_id)
      .map(({ name }) => name);
  if (moments.error) return <Failure error={moments.error} />;
  if (total === undefined) return <p class="quiet">Loading …</p>;
  const visible = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return (
    <>
      <label class="small quiet">
        {countWords(total, "checkpoint")}; the newest is on the right
        <input
          type="range"
          min={0}
          max={Math.max(0, total - 1)}
          value={place}
          aria-label="Moment"
          aria-valuetext={moment && `${summaryOf(moment)}, ${moment.created_at}`}
          onInput={(event) => choose(total - 1 - Number(event.currentTarget.value))}
        />
      </label>
      <div class="columns">
        <div
          class="timeline"
          ref={box}
          tabIndex={0}
          role="listbox"
          aria-label={`Checkpoints of ${trail}`}
          aria-activedescendant={`moment-${position}`}
          onScroll={({ currentTarget: { scrollTop: top, clientHeight: height } }) =>
            setScroll({ top, height })
          }
          onKeyDown={(event) => {
            const step = STEPS[event.key];
            if (step === undefined) return;
            event.preventDefault();
            choose(position + step);
          }}
        >
          <div style={{ height: `${total * ROW_PX}px` }} role="presentation">
            {visible.map((row) => (
              <Moment
                key={total - 1 - row}
                row={row}
                total={total}
                moment={moments.at(total - 1 - row)}
                isChosen={row === position}
                isFresh={total - 1 - row >= (opened.current ?? total)}
                forks={forksAt(moments.at(total - 1 - row))}
                choose={choose}
              />
            ))}
          </div>
        </div>
        <div>{moment && <StateAt moment={moment} trail={trail} forks={forksAt(moment)} />}</div>
      </div>
    </>
  );
}

function Moment(props: {
  row: number;
  total: number;
  moment: LogEntry | undefined;
  isChosen: boolean;
  isFresh: boolean;
  forks: readonly string[];
  choose: (position: number) => void;
}) {
  const { row, moment } = props;
  return (
    <div
      class={`moment${props.isFresh ? " fresh" : ""}`}
      id={`moment-${row}`}
      style={{ top: `${row * ROW_PX}px`, height: `${ROW_PX}px` }}
      role="option"
      aria-selected={props.isChosen}
      aria-setsize={props.total}
      aria-posinset={row + 1}
      onClick={() => props.choose(row)}
    >
      <span class={moment?.damaged ? "bad" : moment?.is_head ? "good" : "quiet"} aria-hidden="true">
        {moment?.damaged ? "✕" : moment?.restored_from ? "↩" : "●"}
      </span>
      <span class="words">
        {moment === undefined ? <span class="quiet">…</span> : summaryOf(moment)}
        <br />
        <span class="quiet small">{moment && whoOf(moment)}</span>
        {props.forks.length > 0 && <span class="small good"> · forks: {props.forks.join(", ")}</span>}
      </span>
      <Ago at={moment?.created_at} />
    </div>
  );
}

function summaryOf(moment: LogEntry): string {
  if (moment.damaged) return "damaged: it cannot be loaded";
  if (moment.notes !== null) return moment.notes;
  if (moment.restored_from !== null) return `back to ${moment.restored_from}`;
  const lines = moment.changes === null ? [] : changeLines(moment.changes);
  if (lines.length === 0)
    return moment.parent_checkpoint_id === null ? "the first of its trail" : moment.trigger;
  const shown = lines.slice(0, 3).map(({ said }) => said);
  return lines.length > 3 ? `${shown.join(" · ")} · and ${lines.length - 3} more` : shown.join(" · ");
}

function whoOf({ trigger, agent_id, session_id, checkpoint_id }: LogEntry): string {
  return [agent_id ?? (session_id === null ? "person" : "agent"), trigger, checkpoint_id].join(" · ");
}
